// SPDX-License-Identifier: Apache-2.0
// Lines of a picture take different times, so threads take one after the other.
#include "tests/openmp/kernel.h"

enum { WIDTH = 80, HEIGHT = 60, MOST = 200 };
static int picture[HEIGHT][WIDTH];
static long total;
static int lines;

static int steps(int x, int y)
{
    double cr = 3.0 * x / WIDTH - 2, ci = 2.0 * y / HEIGHT - 1, r = 0, i = 0;
    int n = 0;
    for (; n < MOST && r * r + i * i < 4; n++) {
        double next = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = next;
    }
    return n;
}

int main(void)
{
    long expected = 0;
#pragma omp parallel
    {
        long mine = 0;
#pragma omp for schedule(dynamic, 2) nowait
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++)
                mine += picture[y][x] = steps(x, y);
#pragma omp atomic
            lines++;
        }
        if (racy) {
            total += mine; // race
        } else {
#pragma omp critical
            total += mine;
        }
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            expected += steps(x, y);
    return finish(total == expected && lines == HEIGHT);
}
