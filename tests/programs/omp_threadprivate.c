// SPDX-License-Identifier: Apache-2.0
// A threadprivate variable is each thread's own, and is copied from the master's at the beginning.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int v, x;
#pragma omp threadprivate(v)

int main(void) {
    v = 5;
#pragma omp parallel num_threads(2) copyin(v)
    {
        int *p = racy ? &x : &v;
        MUST(v == 5);
        if (omp_get_thread_num() == 0) {
            *p = 1; //@race 1 write 4
            turn_pass();
        } else {
            turn_wait(1);
            *p = 2; //@race 2 write 4
        }
    }
    return 0;
}
