// SPDX-License-Identifier: Apache-2.0
// A reduction of an array, and one with an operation of the program's own.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

struct pair {
    int low, high;
};

static void join(struct pair *to, const struct pair *from) {
    to->low = from->low < to->low ? from->low : to->low;
    to->high = from->high > to->high ? from->high : to->high;
}

#pragma omp declare reduction(range : struct pair : join(&omp_out, &omp_in)) initializer(omp_priv = {1000, -1000})

int x;

int main(void) {
    int a[4] = {0};
    struct pair p = {1000, -1000};
#pragma omp parallel for num_threads(2) schedule(static, 1) reduction(+ : a[:4]) reduction(range : p)
    for (int i = 0; i < 40; i++) {
        struct pair one = {i, i};
        a[i % 4] += i;
        join(&p, &one);
        if (racy && i == 0) {
            x = 1; //@race 1 write 4
            turn_pass();
        } else if (racy && i == 1) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
    }
    MUST(a[0] == 180 && a[1] == 190 && a[2] == 200 && a[3] == 210 && p.low == 0 && p.high == 39);
    return 0;
}
