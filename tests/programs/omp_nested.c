// SPDX-License-Identifier: Apache-2.0
// The end of an inner region orders its threads with the one that opened it, not with the others of the outer one.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 1)
                x = 1; //@race 1 write 4
            USE(x);
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
