/* SPDX-License-Identifier: Apache-2.0
 *
 * Jacobi's iteration with a sparse matrix: spmv [ROWS [ROUNDS [THREADS]]].  Matrix and right-hand side
 * are written by main and then only read; the vector of the last round is read by all threads at random
 * places while each writes its own part of the next: data that many read-share and one then writes.
 *
 * The check: the system is strictly diagonally dominant and made for a known solution, which the
 * iteration must reach.
 *
 * Reduced: 3000 60
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define PER_ROW 12 /* entries beside the diagonal */

static size_t rows, rounds, threads;
static uint32_t *column; /* PER_ROW for each row */
static double *value;    /* the same, in [-1/2, 1/2) / PER_ROW; the diagonal is 1 */
static double *right;    /* right-hand side */
static double *x[2];     /* the vector of even and of odd rounds */
static pthread_barrier_t meet;

static double solution(size_t i)
{
    return (double)(i % 1000) / 1000 - 0.5;
}

static void *iterate(void *self)
{
    size_t me = (size_t)self;
    size_t first = rows * me / threads, end = rows * (me + 1) / threads;
    for (size_t round = 0; round < rounds; round++) {
        const double *old = x[round % 2];
        double *new = x[1 - round % 2];
        for (size_t i = first; i < end; i++) {
            double sum = right[i];
            for (size_t k = i * PER_ROW; k < (i + 1) * PER_ROW; k++)
                sum -= value[k] * old[column[k]];
            new[i] = sum;
        }
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    rows = kernel_size(argc, argv, 1, 100000, 2, 10000000);
    rounds = kernel_size(argc, argv, 2, 120, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    column = kernel_array(rows * PER_ROW, sizeof *column);
    value = kernel_array(rows * PER_ROW, sizeof *value);
    right = kernel_array(rows, sizeof *right);
    x[0] = kernel_array(rows, sizeof *x[0]);
    x[1] = kernel_array(rows, sizeof *x[1]);

    uint64_t random = kernel_seed(0);
    for (size_t i = 0; i < rows; i++) {
        right[i] = solution(i);
        for (size_t k = i * PER_ROW; k < (i + 1) * PER_ROW; k++) {
            uint32_t other = kernel_random(&random) % (uint32_t)(rows - 1);
            column[k] = other + (other >= i); /* any column but the diagonal */
            value[k] = ((double)kernel_random(&random) * 0x1p-32 - 0.5) / PER_ROW;
            right[i] += value[k] * solution(column[k]);
        }
    }
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    kernel_threads(threads, iterate);
    pthread_barrier_destroy(&meet);

    double worst = 0;
    for (size_t i = 0; i < rows; i++)
        worst = fmax(worst, fabs(x[rounds % 2][i] - solution(i)));
    if (!(worst < 1e-9)) /* the error halves each round, at least */
        kernel_wrong("spmv is off by %g after %zu rounds (fewer than 30 are too few)", worst, rounds);
    printf("spmv: %zu rows, %zu rounds: converged\n", rows, rounds);
    free(column);
    free(value);
    free(right);
    free(x[0]);
    free(x[1]);
    return 0;
}
