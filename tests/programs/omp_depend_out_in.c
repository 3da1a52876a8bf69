// SPDX-License-Identifier: Apache-2.0
// A task that depends on what another writes comes after it; one that depends on something else does not.
// flags: -fopenmp
#include "tests/programs/invisible.h"

#ifdef RACY
#define OTHER e
#define KIND in
#else
#define OTHER d
#define KIND out
#endif

int x, d, e;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : d)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp task depend(in : OTHER) if (0)
        USE(x); //@race 2 read 4
    }
    return 0;
}
