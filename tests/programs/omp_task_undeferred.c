// SPDX-License-Identifier: Apache-2.0
// A task that is not deferred is ordered with its maker; one that it makes in turn is not.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task if (0)
        {
            x = 1;
#pragma omp task if (racy)
            {
                x = 2; //@race 1 write 4
                turn_pass();
            }
        }
        turn_wait(1);
        x = 3; //@race 2 write 4
    }
    return 0;
}
