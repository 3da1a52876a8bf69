// SPDX-License-Identifier: Apache-2.0
// Each block of a table needs the one above and the one to the left: as tasks that depend on them, and as a loop
// whose iterations do.
#include "tests/openmp/kernel.h"

enum { BLOCKS = 6, SIDE = 8, N = BLOCKS * SIDE };
static unsigned t[N + 1][N + 1], u[N + 1][N + 1], serial[N + 1][N + 1];
char done[BLOCKS + 1][BLOCKS + 1];

static void block(unsigned (*v)[N + 1], int bi, int bj)
{
    for (int i = bi * SIDE + 1; i <= (bi + 1) * SIDE; i++)
        for (int j = bj * SIDE + 1; j <= (bj + 1) * SIDE; j++)
            v[i][j] = v[i - 1][j] + 3 * v[i][j - 1] + 7 * v[i - 1][j - 1] + 1; // race
}

static void with_tasks(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 1; i <= BLOCKS; i++)
        for (int j = 1; j <= BLOCKS; j++) {
#pragma omp task depend(in : done[i - 1][j], done[i][j - 1]) depend(out : done[i][j])
            block(t, i - 1, j - 1);
        }
}

static void with_loop(void)
{
#pragma omp parallel for schedule(static, 1) ordered(2)
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++) {
            if (!racy) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
                block(u, i, j);
            } else {
#pragma omp ordered depend(sink : i, j - 1)
                block(u, i, j); // it forgets the one above
            }
#pragma omp ordered depend(source)
        }
}

int main(void)
{
    int right = 1;
    with_tasks();
    with_loop();
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++)
            block(serial, i, j);
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++)
            right &= t[i][j] == serial[i][j] && u[i][j] == serial[i][j];
    return finish(right);
}
