// SPDX-License-Identifier: Apache-2.0
// A region whose reduction tasks take part in.
// flags: -fopenmp
// flags gcc: -Wno-deprecated-openmp
// exercises: GOMP_parallel_reductions GOMP_taskgroup_reduction_unregister
#include "tests/programs/invisible.h"

int s, x;

int main(void) {
#pragma omp parallel num_threads(2) reduction(task, + : s)
    {
#pragma omp master
        {
#pragma omp task in_reduction(+ : s)
            {
                s += 1;
                if (racy)
                    x = 1; //@race 1 write 4
                turn_pass();
            }
            turn_wait(1); // the other thread runs it
            s += 2;
            if (racy)
                USE(x); //@race 2 read 4
        }
    }
    MUST(s == 3);
    return 0;
}
