// SPDX-License-Identifier: Apache-2.0
// While a thread waits for tasks by taskwait depend, it may run one that waits so, too. Racy: the outer wait is for something else.
// flags: -fopenmp
// only: clang (the word that libomp gives a tool for such a wait is one for each thread)
#include "tests/programs/invisible.h"

#ifdef RACY
#define OTHER f
#else
#define OTHER d
#endif

int x, y, d, e, f;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(out : d)
        {
#pragma omp task depend(out : e)
            y++;
#pragma omp taskwait depend(in : e)
            x = y;
        }
#pragma omp taskwait depend(in : d)
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : d)
        {
#pragma omp task depend(out : e)
            y++;
#pragma omp taskwait depend(in : e)
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp taskwait depend(in : OTHER)
        USE(x); //@race 2 read 4
    }
    return 0;
}
