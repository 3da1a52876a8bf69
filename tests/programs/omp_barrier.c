// SPDX-License-Identifier: Apache-2.0
// A barrier orders what is before it in one thread and after it in another.
// flags: -fopenmp
// exercises: GOMP_barrier ompt_start_tool
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            x = 1; //@race 1 write 4
            turn_pass();
        }
        if (!racy) {
#pragma omp barrier
        }
        if (omp_get_thread_num() == 1) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
    }
    return 0;
}
