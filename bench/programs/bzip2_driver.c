/* SPDX-License-Identifier: Apache-2.0
 *
 * Compresses a file with libbz2 on several threads, as pbzip2 does: bzip2 FILE [KILOBYTES [THREADS]].  Threads take
 * blocks of that size one after another, compress each into memory of their own and hand it over under a lock;
 * main writes them in order to standard output, which is what bzip2 -d reads.
 *
 * The check: each thread decompresses what it made, and compares.
 */
#include "bench/kernels/kernel.h"
#include <bzlib.h>

#include <string.h>

struct block {
    char *data; /* guarded by mutex; NULL until it is done */
    unsigned size;
};

static char *input;
static size_t length, step, blocks;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static size_t next;          /* block that nobody has; guarded by mutex */
static struct block *result; /* one for each block */

static size_t size_of(size_t b) { return b + 1 < blocks ? step : length - b * step; }

static void check(size_t b, char *data, unsigned size)
{
    unsigned n = (unsigned)size_of(b);
    char *again = kernel_array(n, 1);
    if (BZ2_bzBuffToBuffDecompress(again, &n, data, size, 0, 0) != BZ_OK || n != size_of(b) ||
        memcmp(again, input + b * step, n) != 0)
        kernel_wrong("block %zu does not come back", b);
    free(again);
}

static void *work(void *self)
{
    (void)self;
    for (;;) {
        pthread_mutex_lock(&mutex);
        size_t b = next;
        next += b < blocks;
        pthread_mutex_unlock(&mutex);
        if (b == blocks)
            return NULL;
        unsigned room = (unsigned)(size_of(b) + size_of(b) / 100 + 600),
                 size = room; /* as bzlib.h asks for */
        char *data = kernel_array(room, 1);
        if (BZ2_bzBuffToBuffCompress(data, &size, input + b * step, (unsigned)size_of(b), 9, 0, 30) != BZ_OK)
            kernel_wrong("block %zu was not compressed", b);
        check(b, data, size);
        pthread_mutex_lock(&mutex);
        result[b].size = size;
        result[b].data = data;
        pthread_cond_signal(&done);
        pthread_mutex_unlock(&mutex);
    }
}

static void read_input(const char *name)
{
    FILE *f = fopen(name, "rb");
    long end = -1;
    if (f && fseek(f, 0, SEEK_END) == 0)
        end = ftell(f);
    if (end <= 0)
        kernel_wrong("%s cannot be read, or is empty", name);
    rewind(f);
    length = (size_t)end;
    input = kernel_array(length, 1);
    if (fread(input, 1, length, f) != length)
        kernel_wrong("%s cannot be read", name);
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: bzip2 FILE [KILOBYTES [THREADS]]\n");
        return 2;
    }
    step = kernel_size(argc, argv, 2, 200, 1, 900) * 1000;
    size_t threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    read_input(argv[1]);
    blocks = (length + step - 1) / step;
    result = kernel_array(blocks, sizeof *result);

    pthread_t *t = kernel_array(threads, sizeof *t);
    for (size_t i = 0; i < threads; i++)
        if (pthread_create(&t[i], NULL, work, NULL))
            kernel_wrong("thread %zu could not be started", i);
    for (size_t b = 0; b < blocks; b++) {
        pthread_mutex_lock(&mutex);
        while (!result[b].data)
            pthread_cond_wait(&done, &mutex);
        struct block r = result[b];
        pthread_mutex_unlock(&mutex);
        if (fwrite(r.data, 1, r.size, stdout) != r.size)
            kernel_wrong("the output cannot be written");
        free(r.data);
    }
    for (size_t i = 0; i < threads; i++)
        pthread_join(t[i], NULL);
    free(t);
    free(result);
    free(input);
    return fflush(stdout) ? 1 : 0;
}
