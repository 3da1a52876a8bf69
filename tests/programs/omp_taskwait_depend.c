// SPDX-License-Identifier: Apache-2.0
// taskwait may wait for those tasks only that write something.
// flags: -fopenmp
// only: gcc (clang 14 does not know it)
// exercises: GOMP_taskwait_depend
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
#pragma omp task depend(out : d)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp taskwait depend(in : OTHER)
        USE(x); //@race 2 read 4
    }
    return 0;
}
