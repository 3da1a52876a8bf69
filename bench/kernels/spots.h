/* SPDX-License-Identifier: Apache-2.0
 *
 * What sharedspot, localspot and readspot share, after the microbenchmarks of the 2006 report (section 4): integers, each
 * protected by a lock of its own, on which threads do arithmetic.  An integer is here a few words, so that the price of
 * a lock (no words) and that of an access (many words against few) can be told apart: bench/scaling does.
 * A kernel says which spots a thread uses and calls spots_run() from its main().
 *
 * The check: each word must be the sum of all that the threads added to it.
 */
#ifndef GL_BENCH_SPOTS_H
#define GL_BENCH_SPOTS_H

#include "bench/kernels/cost.h"

#define SPOTS      1024 /* of all threads together, whatever their number: the same memory is touched */
#define SPOT_WORDS 32
#define LARGEST    255 /* that is added at a time */

struct spot {
    pthread_mutex_t mutex;
    uint32_t word[SPOT_WORDS]; /* guarded by mutex */
};

static size_t operations, words, threads;
static struct spot spot[SPOTS];
static pthread_mutex_t expected_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint32_t expected[SPOTS]; /* what threads added, once they are done; guarded by expected_mutex */

/* Thread `me` does its share of the operations on the spots from `first` on, `n` of them.  *largest, which every
 * operation reads under the lock, bounds what is added.  Nothing else that threads share is read in between. */
static inline void spots_work(size_t me, size_t first, size_t n, const uint32_t *largest)
{
    uint64_t random = kernel_seed(me);
    uint32_t added[SPOTS] = {0};
    size_t left = cost_share(operations, threads, me), width = words;
    cost_begin();
    for (; left; left--) {
        uint32_t r = kernel_random(&random), at = (uint32_t)(first + (r >> 8) % n);
        struct spot *s = &spot[at];
        pthread_mutex_lock(&s->mutex);
        uint32_t value = r & *largest;
        for (size_t w = 0; w < width; w++)
            s->word[w] += value;
        pthread_mutex_unlock(&s->mutex);
        added[at] += value;
    }
    cost_end(me);
    pthread_mutex_lock(&expected_mutex);
    for (size_t i = 0; i < SPOTS; i++)
        expected[i] += added[i];
    pthread_mutex_unlock(&expected_mutex);
}

static inline int spots_run(int argc, char **argv, const char *name, void *(*body)(void *))
{
    operations = kernel_size(argc, argv, 1, 3000000, 1, 10000000000);
    words = kernel_size(argc, argv, 2, 2, 0, SPOT_WORDS);
    threads = kernel_size(argc, argv, 3, 4, 1, KERNEL_MAX_THREADS);
    for (size_t i = 0; i < SPOTS; i++)
        pthread_mutex_init(&spot[i].mutex, NULL);
    cost_threads(threads, body);

    for (size_t i = 0; i < SPOTS; i++)
        for (size_t w = 0; w < SPOT_WORDS; w++) {
            uint32_t sum = w < words ? expected[i] : 0;
            if (spot[i].word[w] != sum)
                kernel_wrong("word %zu of spot %zu is %u, not %u", w, i, spot[i].word[w], sum);
        }
    printf("%s: %zu operations on %d spots of %zu words\n", name, operations, SPOTS, words);
    cost_print(argc, argv, 4, operations);
    return 0;
}

#endif
