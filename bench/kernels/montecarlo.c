/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices along random paths: montecarlo [PATHS [STEPS [THREADS]]], paths per thread.  Each thread writes
 * a path into memory of its own and reads it again for the mean; all read one table of daily factors;
 * sums are merged under a lock at the end.  Thread-local work: what the detector's filter costs when it
 * always says "seen".
 *
 * The check: the factors are drawn evenly from a finite table, so the expected mean is known exactly;
 * the average over all paths must lie within six of its standard errors.  Seeds are fixed: it
 * holds always or never.
 *
 * Reduced: 2000
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define FACTORS 4096
#define START 100.0

static size_t paths, steps, threads;
static double factor[FACTORS];

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static double sum, sum_squares; /* guarded by mutex; of the paths' means */

static void *walk(void *self)
{
    uint64_t random = kernel_seed((size_t)self);
    double *path = kernel_array(steps, sizeof *path);
    double my_sum = 0, my_squares = 0;
    for (size_t p = 0; p < paths; p++) {
        double price = START, mean = 0;
        for (size_t i = 0; i < steps; i++)
            path[i] = price *= factor[kernel_random(&random) % FACTORS];
        for (size_t i = 0; i < steps; i++)
            mean += path[i];
        mean /= (double)steps;
        my_sum += mean;
        my_squares += mean * mean;
    }
    free(path);
    pthread_mutex_lock(&mutex);
    sum += my_sum;
    sum_squares += my_squares;
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(int argc, char **argv)
{
    paths = kernel_size(argc, argv, 1, 150000, 10, 100000000);
    steps = kernel_size(argc, argv, 2, 500, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    double drift = 0; /* the mean factor */
    for (size_t k = 0; k < FACTORS; k++) {
        factor[k] = 1.0001 + 0.02 * (((double)k + 0.5) / FACTORS - 0.5);
        drift += factor[k] / FACTORS;
    }
    kernel_threads(threads, walk);

    double expected = 0, price = START;
    for (size_t i = 0; i < steps; i++)
        expected += (price *= drift) / (double)steps;
    double n = (double)(paths * threads), average = sum / n;
    double error = sqrt((sum_squares / n - average * average) / (n - 1));
    if (!(fabs(average - expected) < 6 * error))
        kernel_wrong("the average is %g, expected %g, standard error %g", average, expected, error);
    printf("montecarlo: %zu paths of %zu steps, the average is right\n", paths * threads, steps);
    return 0;
}
