// SPDX-License-Identifier: Apache-2.0
// A target region that is not waited for is a task: here on the host. Racy: nobody waits for it.
// flags: -fopenmp
// only: clang (gcc's are not followed)
// exercises: __kmpc_omp_target_task_alloc
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : x)
        {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        turn_wait(1); // the other thread runs it
        if (!racy) {
#pragma omp taskwait
        }
        USE(x); //@race 2 read 4
    }
    return 0;
}
