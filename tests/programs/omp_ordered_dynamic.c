// SPDX-License-Identifier: Apache-2.0
// The same with iterations that the library hands out.
// flags: -fopenmp
// exercises: GOMP_loop_ordered_dynamic_start
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic, 1) ordered
    for (int i = 0; i < 2; i++) {
        if (i == 0) {
            turn_wait(1); // another thread has the other iteration
        } else {
            turn_pass();
            if (racy) {
                turn_wait(2);
                USE(x); //@race 2 read 4
            }
        }
#pragma omp ordered
        {
            if (i == 0) {
                x = 1; //@race 1 write 4
                turn_pass();
            } else {
                USE(x);
            }
        }
    }
    return 0;
}
