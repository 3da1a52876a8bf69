// SPDX-License-Identifier: Apache-2.0
// The block of the master has no barrier at its end.
// flags: -fopenmp
// flags gcc: -Wno-deprecated-openmp
#include "tests/programs/invisible.h"
#include <omp.h>

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
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
