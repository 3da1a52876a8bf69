// SPDX-License-Identifier: Apache-2.0
// A task that writes comes after those that read; two that read are not ordered.
// flags: -fopenmp
// exercises: GOMP_task __kmpc_omp_task_alloc
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
#pragma omp task depend(in : d)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
#pragma omp task depend(KIND : d) if (0)
        x = 2; //@race 2 write 4
    }
    return 0;
}
