// SPDX-License-Identifier: Apache-2.0
// Tasks that exclude one another are ordered, whichever comes first.
// flags: -fopenmp
// exercises: GOMP_taskwait
#include "tests/programs/invisible.h"

#ifdef RACY
#define OTHER e
#else
#define OTHER d
#endif

int x, d, e;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : d)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp task
        {
            turn_pass();
            turn_wait(3);
        }
        turn_wait(2); // and is busy with this one
#pragma omp task depend(mutexinoutset : OTHER)
        {
            x = 2; //@race 2 write 4
            turn_pass();
        }
#pragma omp taskwait
    }
    return 0;
}
