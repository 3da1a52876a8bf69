/* SPDX-License-Identifier: Apache-2.0
 *
 * Buffers handed from thread to thread: pipeline [BUFFERS [KILOBYTES]].  A source fills a buffer, a
 * filter changes it in place, a sink sums it up and sends it back; three queues (mutex and condition
 * variables) carry pointers only.  No lock is held while a buffer is used: every word changes its owner
 * three times per round through synchronization on something else.
 *
 * The check: buffers arrive in order and the sink's sum, after undoing the filter, is the source's.
 *
 * Reduced: 60
 */
#include "bench/kernels/kernel.h"

#define POOL 8  /* buffers in circulation */
#define ROOM 16 /* of a queue: > POOL, so that a put never waits */

struct buffer {
    size_t serial;
    uint32_t *word; /* `words` of them; owned by whoever took the buffer from a queue */
};

struct queue {
    pthread_mutex_t mutex;
    pthread_cond_t filled;
    struct buffer *item[ROOM]; /* guarded by mutex */
    size_t head, tail;         /* guarded by mutex; tail - head <= POOL */
};

static struct queue unused = {.mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
static struct queue raw = {.mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
static struct queue coded = {.mutex = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
static size_t buffers, words;
static uint64_t sent, received; /* sums; each written by one thread, read after the join */

static void put(struct queue *q, struct buffer *b)
{
    pthread_mutex_lock(&q->mutex);
    q->item[q->tail++ % ROOM] = b;
    pthread_cond_signal(&q->filled);
    pthread_mutex_unlock(&q->mutex);
}

static struct buffer *take(struct queue *q)
{
    pthread_mutex_lock(&q->mutex);
    while (q->head == q->tail)
        pthread_cond_wait(&q->filled, &q->mutex);
    struct buffer *b = q->item[q->head++ % ROOM];
    pthread_mutex_unlock(&q->mutex);
    return b;
}

static void source(void)
{
    uint64_t random = kernel_seed(0), sum = 0;
    for (size_t n = 0; n < buffers; n++) {
        struct buffer *b = take(&unused);
        b->serial = n;
        for (size_t i = 0; i < words; i++) {
            b->word[i] = kernel_random(&random);
            sum = sum * 31 + b->word[i];
        }
        put(&raw, b);
    }
    sent = sum;
}

static void filter(void)
{
    for (size_t n = 0; n < buffers; n++) {
        struct buffer *b = take(&raw);
        uint32_t before = (uint32_t)b->serial;
        for (size_t i = 0; i < words; i++) {
            uint32_t now = b->word[i];
            b->word[i] = now ^ (before << 7 | before >> 25);
            before = now;
        }
        put(&coded, b);
    }
}

static void sink(void)
{
    uint64_t sum = 0;
    for (size_t n = 0; n < buffers; n++) {
        struct buffer *b = take(&coded);
        if (b->serial != n)
            kernel_wrong("buffer %zu came in the place of %zu", b->serial, n);
        uint32_t before = (uint32_t)b->serial;
        for (size_t i = 0; i < words; i++) {
            before = b->word[i] ^ (before << 7 | before >> 25);
            sum = sum * 31 + before;
        }
        put(&unused, b);
    }
    received = sum;
}

static void *stage(void *self)
{
    static void (*const body[])(void) = {source, filter, sink};
    body[(size_t)self]();
    return NULL;
}

int main(int argc, char **argv)
{
    buffers = kernel_size(argc, argv, 1, 4000, 1, 10000000);
    words = kernel_size(argc, argv, 2, 64, 1, 65536) * 1024 / sizeof(uint32_t);
    struct buffer pool[POOL];
    for (size_t i = 0; i < POOL; i++) {
        pool[i].word = kernel_array(words, sizeof(uint32_t));
        put(&unused, &pool[i]);
    }
    kernel_threads(3, stage);
    if (sent != received)
        kernel_wrong("the sums differ: %016llx sent, %016llx received", (unsigned long long)sent,
                     (unsigned long long)received);
    printf("pipeline: %zu buffers of %zu words, sum %016llx\n", buffers, words, (unsigned long long)received);
    for (size_t i = 0; i < POOL; i++)
        free(pool[i].word);
    return 0;
}
