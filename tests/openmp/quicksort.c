// SPDX-License-Identifier: Apache-2.0
// The two parts of an array are sorted as tasks.
#include "tests/openmp/kernel.h"

enum { N = 4000, SMALL = 50 };
static int a[N], splits;

static void swap(int *p, int *q)
{
    int v = *p;
    *p = *q;
    *q = v;
}

static void insert(int lo, int hi)
{
    for (int i = lo + 1; i < hi; i++)
        for (int j = i; j > lo && a[j - 1] > a[j]; j--)
            swap(&a[j - 1], &a[j]);
}

static int split(int lo, int hi)
{
    int pivot = a[(lo + hi) / 2], i = lo - 1, j = hi;
    for (;;) {
        do
            i++;
        while (a[i] < pivot);
        do
            j--;
        while (a[j] > pivot);
        if (i >= j)
            return j + 1;
        swap(&a[i], &a[j]);
    }
}

static void sort(int lo, int hi, int top)
{
    if (hi - lo < SMALL) {
        insert(lo, hi);
        return;
    }
    int middle = split(lo, hi);
#pragma omp task
    {
        if (top)
            meet();
        if (top && racy)
            splits++; // race
        sort(lo, middle, 0);
    }
    if (top)
        meet();
    if (top && racy)
        splits++; // race
    sort(middle, hi, 0);
#pragma omp taskwait
}

int main(void)
{
    unsigned seed = 1;
    for (int i = 0; i < N; i++)
        a[i] = (int)((seed = seed * 1103515245u + 12345u) >> 8);
#pragma omp parallel
#pragma omp single
    sort(0, N, 1);
    int right = 1;
    for (int i = 1; i < N; i++)
        right &= a[i - 1] <= a[i];
    return finish(right);
}
