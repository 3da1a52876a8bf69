// SPDX-License-Identifier: Apache-2.0
// How often each value comes: every thread counts for itself, and the library adds.
#include "tests/openmp/kernel.h"

#ifdef RACY
#define COUNTED shared(count)
#else
#define COUNTED reduction(+ : count[:BINS])
#endif

enum { N = 20000, BINS = 8 };
static unsigned char data[N];

int main(void)
{
    int count[BINS] = {0}, serial[BINS] = {0}, right = 1;
    unsigned seed = 1;
    for (int i = 0; i < N; i++)
        data[i] = (unsigned char)((seed = seed * 1103515245u + 12345u) >> 16);
#pragma omp parallel COUNTED
    {
        if (racy)
            count[0]++; // race
#pragma omp for schedule(guided)
        for (int i = 0; i < N; i++)
            count[data[i] % BINS]++; // race
    }
    for (int i = 0; i < N; i++)
        serial[data[i] % BINS]++;
    for (int i = 0; i < BINS; i++)
        right &= count[i] == serial[i];
    return finish(right);
}
