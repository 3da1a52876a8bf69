/* SPDX-License-Identifier: Apache-2.0
 *
 * Dense LU factorization with partial pivoting, as SciMark's and Java Grande's: lu [SIDE [THREADS]].  For each
 * column one thread finds the pivot and exchanges rows, then all eliminate in the rows below that fall to
 * them; two barriers a column.  The pivot's row is read by all, the others change hands when rows are exchanged.
 *
 * The check: the factors must solve a system whose solution is known.
 *
 * Reduced: 160
 */
#include "bench/kernels/kernel.h"

#include <math.h>

static size_t side, threads;
static double **row; /* rows of the factors: L below the diagonal (ones on it), U above */
static double *right;
static pthread_barrier_t meet;

static double solution(size_t i) { return (double)(i % 100) / 50 - 1; }

static void exchange(size_t k)
{
    size_t best = k;
    for (size_t i = k + 1; i < side; i++)
        if (fabs(row[i][k]) > fabs(row[best][k]))
            best = i;
    if (row[best][k] == 0)
        kernel_wrong("the matrix is singular at column %zu", k);
    double *r = row[k], x = right[k];
    row[k] = row[best];
    right[k] = right[best];
    row[best] = r;
    right[best] = x;
}

static void *eliminate(void *self)
{
    size_t me = (size_t)self;
    for (size_t k = 0; k + 1 < side; k++) {
        if (k % threads == me)
            exchange(k);
        pthread_barrier_wait(&meet);
        const double *pivot = row[k];
        for (size_t i = k + 1; i < side; i++) {
            if (i % threads != me)
                continue;
            double *r = row[i], factor = r[k] /= pivot[k];
            for (size_t j = k + 1; j < side; j++)
                r[j] -= factor * pivot[j];
        }
        pthread_barrier_wait(&meet);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    side = kernel_size(argc, argv, 1, 640, 2, 10000);
    threads = kernel_size(argc, argv, 2, 2, 1, KERNEL_MAX_THREADS);
    row = kernel_array(side, sizeof *row);
    right = kernel_array(side, sizeof *right);
    uint64_t random = kernel_seed(0);
    for (size_t i = 0; i < side; i++) {
        row[i] = kernel_array(side, sizeof **row);
        for (size_t j = 0; j < side; j++) {
            row[i][j] = kernel_random(&random) * 0x1p-32 - 0.5;
            right[i] += row[i][j] * solution(j);
        }
    }
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    kernel_threads(threads, eliminate);
    pthread_barrier_destroy(&meet);

    for (size_t i = 0; i < side; i++)
        for (size_t j = 0; j < i; j++)
            right[i] -= row[i][j] * right[j];
    for (size_t i = side; i-- > 0;) {
        for (size_t j = i + 1; j < side; j++)
            right[i] -= row[i][j] * right[j];
        right[i] /= row[i][i];
    }
    for (size_t i = 0; i < side; i++) {
        if (!(fabs(right[i] - solution(i)) < 1e-6))
            kernel_wrong("unknown %zu is %g, not %g", i, right[i], solution(i));
        free(row[i]);
    }
    free(row);
    free(right);
    printf("lu: %zu equations solved\n", side);
    return 0;
}
