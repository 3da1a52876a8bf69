// SPDX-License-Identifier: Apache-2.0
// Each address of a list counts.
// flags: -fopenmp
#include "tests/programs/invisible.h"

#ifdef RACY
#define MINE 2
#else
#define MINE 1
#endif

int x, a[4];

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : a[0], a[1]) depend(in : a[2])
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp task depend(in : a[3], a[MINE]) if (0)
        USE(x); //@race 2 read 4
    }
    return 0;
}
