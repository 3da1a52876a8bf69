// SPDX-License-Identifier: Apache-2.0
// The end of a group comes after the tasks that were made in it, not after those made before.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        if (racy) {
#pragma omp task
            {
                x = 1; //@race 1 write 4
                turn_pass();
            }
        }
#pragma omp taskgroup
        if (!racy) {
#pragma omp task
            {
                x = 1;
                turn_pass();
            }
            turn_wait(1);
        }
        turn_wait(1);
        USE(x); //@race 2 read 4
    }
    return 0;
}
