// SPDX-License-Identifier: Apache-2.0
// Heat in a plate: each point becomes the mean of its neighbours, until nothing changes much.
#include "tests/openmp/kernel.h"

#include <math.h>

#ifdef RACY
#define NOWAIT nowait
#else
#define NOWAIT
#endif

enum { N = 64, ROUNDS = 30 };
static double a[N][N], b[N][N], serial[N][N], other[N][N];

static void solve_serial(void)
{
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                other[i][j] = 0.25 * (serial[i - 1][j] + serial[i + 1][j] + serial[i][j - 1] + serial[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                serial[i][j] = other[i][j];
    }
}

int main(void)
{
    double change = 0, worst = 0;
    for (int i = 0; i < N; i++)
        a[i][0] = serial[i][0] = 100;
#pragma omp parallel
    for (int k = 0; k < ROUNDS; k++) {
#pragma omp single
        change = 0;
#pragma omp for schedule(static) reduction(max : change) NOWAIT // race
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]); // race
                change = fmax(change, fabs(b[i][j] - a[i][j])); // race
            }
#pragma omp for schedule(static)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = b[i][j]; // race
    }
    solve_serial();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            worst = fmax(worst, fabs(a[i][j] - serial[i][j]));
    return finish(worst == 0 && change > 0);
}
