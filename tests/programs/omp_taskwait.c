// SPDX-License-Identifier: Apache-2.0
// taskwait comes after the tasks that were made before it.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
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
