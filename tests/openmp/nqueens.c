// SPDX-License-Identifier: Apache-2.0
// Each place of a queen in the first rows is a task with a board of its own.
#include "tests/openmp/kernel.h"

#include <string.h>

enum { N = 7, TASKS_UNTIL = 3, SOLUTIONS = 40 };
static int found, tasks;

static int fits(const char *board, int row, int column)
{
    for (int r = 0; r < row; r++) {
        int d = board[r] - column;
        if (d == 0 || d == row - r || d == r - row)
            return 0;
    }
    return 1;
}

static void place(const char *board, int row)
{
    if (row == N) {
#pragma omp atomic
        found++;
        return;
    }
    for (int column = 0; column < N; column++) {
        if (!fits(board, row, column))
            continue;
#pragma omp task if (row < TASKS_UNTIL)
        {
            char next[N] = {0};
            if (row == 0)
                meet();
            if (racy) {
                tasks++; // race
            } else {
#pragma omp atomic
                tasks++;
            }
            memcpy(next, board, (size_t)row);
            next[row] = (char)column;
            place(next, row + 1);
        }
    }
#pragma omp taskwait
}

int main(void)
{
    char empty[N] = {0};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    place(empty, 0);
    return finish(found == SOLUTIONS && tasks > N);
}
