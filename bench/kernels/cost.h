/* SPDX-License-Identifier: Apache-2.0
 *
 * What one operation of a kernel costs, in nanoseconds of processor time: the clock of each thread around its own
 * loop, behind a barrier at which all threads are alive.  So starting and ending them does not count,
 * and neither does waiting: with more threads than processors the wall clock would measure the scheduler.
 */
#ifndef GL_BENCH_COST_H
#define GL_BENCH_COST_H

#include "bench/kernels/kernel.h"

#include <time.h>

static pthread_barrier_t cost_meet;
static uint64_t cost_of[KERNEL_MAX_THREADS]; /* each written by its thread, read when all have ended */
static _Thread_local uint64_t cost_begun;

static inline uint64_t cost_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* How many of n operations are thread `me`'s. */
static inline size_t cost_share(size_t n, size_t threads, size_t me)
{
    return n / threads + (me < n % threads);
}

static inline void cost_begin(void)
{
    pthread_barrier_wait(&cost_meet);
    cost_begun = cost_clock();
}

static inline void cost_end(size_t me) { cost_of[me] = cost_clock() - cost_begun; }

/* kernel_threads() for bodies that call cost_begin() and cost_end() once each. */
static inline void cost_threads(size_t threads, void *(*body)(void *))
{
    pthread_barrier_init(&cost_meet, NULL, (unsigned)threads);
    kernel_threads(threads, body);
    pthread_barrier_destroy(&cost_meet);
}

/* With a 1 in argv[at]: says what one of n operations cost.  It varies, so without it nothing is said. */
static inline void cost_print(int argc, char **argv, int at, size_t n)
{
    if (!kernel_size(argc, argv, at, 0, 0, 1))
        return;
    uint64_t sum = 0;
    for (size_t t = 0; t < KERNEL_MAX_THREADS; t++)
        sum += cost_of[t];
    printf("cost %.3f\n", (double)sum / (double)n);
}

#endif
