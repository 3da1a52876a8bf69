// SPDX-License-Identifier: Apache-2.0
// A matrix becomes the product of a lower and an upper one, in place, row after row.
#include "tests/openmp/kernel.h"

#include <math.h>

enum { N = 48 };
static double m[N][N], was[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = was[i][j] = i == j ? N : 1.0 / (1 + i + 2 * j);
#pragma omp parallel
    for (int k = 0; k < N; k++) {
        if (racy) {
#pragma omp single nowait
            for (int j = k + 1; j < N; j++)
                m[k][j] /= m[k][k]; // race
        } else {
#pragma omp single
            for (int j = k + 1; j < N; j++)
                m[k][j] /= m[k][k];
        }
#pragma omp for schedule(static)
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                m[i][j] -= m[i][k] * m[k][j]; // race
    }
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += m[i][k] * (k == j ? 1 : m[k][j]);
            worst = fmax(worst, fabs(sum - was[i][j]));
        }
    return finish(worst < 1e-9);
}
