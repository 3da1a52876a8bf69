/* SPDX-License-Identifier: Apache-2.0
 *
 * Streaming loops in the manner of McCalpin's STREAM: stream [NUMBERS [PASSES [THREADS]]], three arrays of that many
 * doubles: copy, scale, add, triad, each thread on its part.  Every access is to another word than the
 * one before, and the arrays do not fit the caches: the price of shadow memory itself.
 *
 * The check: every element goes through the same (few, exact) values, which main computes for one.
 *
 * Reduced: 100000 2
 */
#include "bench/kernels/kernel.h"

#define FACTOR 0.5 /* keeps all values exact and small */

static size_t numbers, passes, threads;
static double *a, *b, *c;

static void *run(void *self)
{
    size_t me = (size_t)self;
    size_t first = numbers * me / threads, end = numbers * (me + 1) / threads;
    for (size_t p = 0; p < passes; p++) {
        for (size_t i = first; i < end; i++)
            c[i] = a[i];
        for (size_t i = first; i < end; i++)
            b[i] = FACTOR * c[i];
        for (size_t i = first; i < end; i++)
            c[i] = a[i] - b[i];
        for (size_t i = first; i < end; i++)
            a[i] = b[i] + FACTOR * c[i];
    }
    return NULL;
}

int main(int argc, char **argv)
{
    numbers = kernel_size(argc, argv, 1, 1500000, 1, 1000000000);
    passes = kernel_size(argc, argv, 2, 10, 1, 1000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    a = kernel_array(numbers, sizeof *a);
    b = kernel_array(numbers, sizeof *b);
    c = kernel_array(numbers, sizeof *c);
    for (size_t i = 0; i < numbers; i++)
        a[i] = (double)(1 + i % 4);
    kernel_threads(threads, run);

    for (size_t i = 0; i < numbers; i++) {
        double x = (double)(1 + i % 4), y = 0, z = 0;
        for (size_t p = 0; p < passes; p++) {
            y = FACTOR * x;
            z = x - y;
            x = y + FACTOR * z;
        }
        if (a[i] != x || b[i] != y || c[i] != z)
            kernel_wrong("element %zu is %g %g %g, not %g %g %g", i, a[i], b[i], c[i], x, y, z);
    }
    free(a);
    free(b);
    free(c);
    printf("stream: %zu numbers, %zu passes, all right\n", numbers, passes);
    return 0;
}
