// SPDX-License-Identifier: Apache-2.0
// What gcc 13 and later make of `taskwait depend(inout: a, b) nowait`: a task without a body, between those before it and those behind it.
// flags: -fopenmp
// only: gcc (libgomp's)
// peer-skip: gcc 12's libgomp has not got it
// exercises: GOMP_taskwait_depend_nowait
#include <stdint.h>

#include "tests/programs/invisible.h"

#ifdef RACY
#define OTHER c
#else
#define OTHER b
#endif

void GOMP_taskwait_depend_nowait(void **depend);

int x, a, b, c;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : a)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
        void *depend[] = {(void *)(uintptr_t)2, (void *)(uintptr_t)2, &a, &b}; // 2, of which 2 are inout
        GOMP_taskwait_depend_nowait(depend);
#pragma omp task depend(in : OTHER) if (0) // by this thread
        USE(x);                                //@race 2 read 4
    }
    return 0;
}
