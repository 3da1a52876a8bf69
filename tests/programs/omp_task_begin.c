// SPDX-License-Identifier: Apache-2.0
// A task comes after what was done before it was made, not after what its maker does then.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        if (!racy)
            x = 1;
#pragma omp task
        {
            turn_wait(1);
            USE(x); //@race 2 read 4
            turn_pass();
        }
        if (racy)
            x = 1; //@race 1 write 4
        turn_pass();
        turn_wait(2); // so that the other thread runs it
    }
    return 0;
}
