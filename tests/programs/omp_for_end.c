// SPDX-License-Identifier: Apache-2.0
// A loop ends with a barrier, unless it says nowait.
// flags: -fopenmp
#include "tests/programs/invisible.h"
#include <omp.h>

#ifdef RACY
#define NOWAIT nowait
#else
#define NOWAIT
#endif

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) NOWAIT
        for (int i = 0; i < 2; i++)
            if (i == 0) {
                x = 1; //@race 1 write 4
                turn_pass();
            }
        if (omp_get_thread_num() == 1) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
    }
    return 0;
}
