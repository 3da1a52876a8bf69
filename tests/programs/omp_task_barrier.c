// SPDX-License-Identifier: Apache-2.0
// A barrier comes after all tasks that were made before it, whoever runs them.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        {
#pragma omp task
            {
                x = 1; //@race 1 write 4
                turn_pass();
            }
            if (racy) {
                turn_wait(1);
                USE(x); //@race 2 read 4
            }
        }
#pragma omp barrier
        USE(x);
    }
    USE(x);
    return 0;
}
