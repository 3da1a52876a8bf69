// SPDX-License-Identifier: Apache-2.0
// Dependences may be kept in objects.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

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
        omp_depend_t o;
#pragma omp depobj(o) depend(inout : d)
#pragma omp task depend(depobj : o)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp task depend(in : OTHER) if (0)
        USE(x); //@race 2 read 4
#pragma omp taskwait
#pragma omp depobj(o) destroy
    }
    return 0;
}
