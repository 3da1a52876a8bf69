/* SPDX-License-Identifier: Apache-2.0
 *
 * Red-black successive over-relaxation: sor [SIDE [SWEEPS [THREADS]]].  Threads own bands of rows and
 * meet at a barrier after each colour; only the rows at the seams are read by two threads.  Doubles,
 * two or three accesses per multiplication: the densest kernel here, so the worst slow-down.
 *
 * The check: the boundary is that of u = x^2 - y^2, which the five-point stencil solves exactly, so
 * after enough sweeps every inner point must have converged to it.
 *
 * Reduced: 60
 */
#include "bench/kernels/kernel.h"

#include <math.h>

static size_t side, sweeps, threads;
static double omega;
static double **grid; /* (side + 2) rows of side + 2; the rim is the boundary */
static pthread_barrier_t meet;

static double solution(size_t i, size_t j)
{
    double x = (double)i / (double)(side + 1), y = (double)j / (double)(side + 1);
    return x * x - y * y;
}

static void *relax(void *self)
{
    size_t me = (size_t)self;
    size_t first = 1 + side * me / threads, end = 1 + side * (me + 1) / threads;
    for (size_t s = 0; s < sweeps; s++)
        for (size_t colour = 0; colour < 2; colour++) {
            for (size_t i = first; i < end; i++) {
                const double *above = grid[i - 1], *below = grid[i + 1];
                double *row = grid[i];
                for (size_t j = 1 + (i + colour) % 2; j <= side; j += 2)
                    row[j] += omega * ((above[j] + below[j] + row[j - 1] + row[j + 1]) * 0.25 - row[j]);
            }
            pthread_barrier_wait(&meet);
        }
    return NULL;
}

int main(int argc, char **argv)
{
    side = kernel_size(argc, argv, 1, 400, 8, 10000);
    sweeps = kernel_size(argc, argv, 2, 2 * side, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    omega = 2 / (1 + sin(3.14159265358979323846 / (double)(side + 1))); /* the optimum for a square */

    grid = kernel_array(side + 2, sizeof *grid);
    for (size_t i = 0; i < side + 2; i++) {
        grid[i] = kernel_array(side + 2, sizeof **grid);
        for (size_t j = 0; j < side + 2; j++)
            if (i == 0 || j == 0 || i == side + 1 || j == side + 1)
                grid[i][j] = solution(i, j);
    }
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    kernel_threads(threads, relax);
    pthread_barrier_destroy(&meet);

    double worst = 0;
    for (size_t i = 1; i <= side; i++) {
        for (size_t j = 1; j <= side; j++)
            worst = fmax(worst, fabs(grid[i][j] - solution(i, j)));
        free(grid[i]);
    }
    if (!(worst < 1e-3))
        kernel_wrong("sor is off by %g after %zu sweeps (fewer than 2 * SIDE are too few)", worst, sweeps);
    printf("sor %zu x %zu, %zu sweeps: converged\n", side, side, sweeps);
    free(grid[0]);
    free(grid[side + 1]);
    free(grid);
    return 0;
}
