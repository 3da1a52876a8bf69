/* SPDX-License-Identifier: Apache-2.0
 *
 * Successive over-relaxation as SciMark does it, point after point in one thread: gaussseidel [SIDE [SWEEPS
 * [THREADS]]], each thread on a grid of its own, which it allocates.  Dense arithmetic on data that no other
 * thread sees, so nearly every access is one by the owner.
 *
 * The check: as in sor.c, the boundary is that of u = x^2 - y^2, to which every inner point must converge.
 *
 * Reduced: 40 100
 */
#include "bench/kernels/kernel.h"

#include <math.h>

static size_t side, sweeps, threads;
static double omega;

static double solution(size_t i, size_t j)
{
    double x = (double)i / (double)(side + 1), y = (double)j / (double)(side + 1);
    return x * x - y * y;
}

static void sweep(double **grid)
{
    for (size_t i = 1; i <= side; i++) {
        const double *above = grid[i - 1], *below = grid[i + 1];
        double *row = grid[i];
        for (size_t j = 1; j <= side; j++)
            row[j] = omega * 0.25 * (above[j] + below[j] + row[j - 1] + row[j + 1]) + (1 - omega) * row[j];
    }
}

static void *relax(void *self)
{
    (void)self;
    double **grid = kernel_array(side + 2, sizeof *grid);
    for (size_t i = 0; i < side + 2; i++) {
        grid[i] = kernel_array(side + 2, sizeof **grid);
        for (size_t j = 0; j < side + 2; j++)
            if (i == 0 || j == 0 || i == side + 1 || j == side + 1)
                grid[i][j] = solution(i, j);
    }
    for (size_t s = 0; s < sweeps; s++)
        sweep(grid);
    for (size_t i = 0; i < side + 2; i++) {
        for (size_t j = 0; j < side + 2; j++)
            if (!(fabs(grid[i][j] - solution(i, j)) < 1e-3))
                kernel_wrong("after %zu sweeps (fewer than 2 * SIDE are too few) a point is %g, not %g",
                             sweeps, grid[i][j], solution(i, j));
        free(grid[i]);
    }
    free(grid);
    return NULL;
}

int main(int argc, char **argv)
{
    side = kernel_size(argc, argv, 1, 100, 8, 10000);
    sweeps = kernel_size(argc, argv, 2, 1000, 1, 10000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    omega = 2 / (1 + sin(3.14159265358979323846 / (double)(side + 1))); /* the optimum for a square */
    kernel_threads(threads, relax);
    printf("gaussseidel: %zu grids of %zu x %zu, %zu sweeps: converged\n", threads, side, side, sweeps);
    return 0;
}
