/* SPDX-License-Identifier: Apache-2.0
 *
 * Monte Carlo integration as SciMark describes it: pi [POINTS [THREADS]], points per thread, of which those in the
 * quarter circle are counted.  The numbers come from a lagged Fibonacci generator under a lock, as SciMark's
 * synchronized one, though each thread has its own: the price of locks for which nobody waits.
 *
 * The check: the share must lie within six standard errors of pi / 4.  Seeds are fixed: it holds always or never.
 *
 * Reduced: 10000
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define LAGS      17 /* x(n) = x(n-17) - x(n-5), modulo 2^32 */
#define SHORT_LAG 5

struct generator {
    _Alignas(128) pthread_mutex_t mutex; /* guards all of it */
    uint32_t state[LAGS];
    uint32_t at;
};

static size_t points, threads;
static struct generator generator[KERNEL_MAX_THREADS];
static size_t inside[KERNEL_MAX_THREADS]; /* written by its thread, read when all have ended */

static double next(struct generator *g)
{
    pthread_mutex_lock(&g->mutex);
    uint32_t other = (g->at + LAGS - SHORT_LAG) % LAGS;
    uint32_t x = g->state[g->at] -= g->state[other];
    g->at = (g->at + 1) % LAGS;
    pthread_mutex_unlock(&g->mutex);
    return x * 0x1p-32;
}

static void *throw(void *self)
{
    size_t me = (size_t)self, hits = 0;
    for (size_t i = 0; i < points; i++) {
        double x = next(&generator[me]), y = next(&generator[me]);
        hits += x * x + y * y <= 1;
    }
    inside[me] = hits;
    return NULL;
}

int main(int argc, char **argv)
{
    points = kernel_size(argc, argv, 1, 1500000, 100, 1000000000);
    threads = kernel_size(argc, argv, 2, 2, 1, KERNEL_MAX_THREADS);
    for (size_t t = 0; t < threads; t++) {
        uint64_t random = kernel_seed(t);
        pthread_mutex_init(&generator[t].mutex, NULL);
        for (size_t i = 0; i < LAGS; i++)
            generator[t].state[i] = kernel_random(&random) | 1; /* one odd number gives the full period */
    }
    kernel_threads(threads, throw);

    double hits = 0, n = (double)(points * threads), share = atan(1);
    for (size_t t = 0; t < threads; t++)
        hits += (double)inside[t];
    if (!(fabs(hits / n - share) < 6 * sqrt(share * (1 - share) / n)))
        kernel_wrong("pi is %g?", 4 * hits / n);
    printf("pi: %zu points, the share is right\n", points * threads);
    return 0;
}
