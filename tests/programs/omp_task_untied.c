// SPDX-License-Identifier: Apache-2.0
// An untied task that waits and goes on, maybe elsewhere, is still one task.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x, y;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task untied
        {
            x = 1;
#pragma omp task
            y = 1;
#pragma omp taskwait
            USE(y);
            x = 2; //@race 1 write 4
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
