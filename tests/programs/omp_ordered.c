// SPDX-License-Identifier: Apache-2.0
// The ordered blocks of a loop come one after the other; what is outside of them does not.
// flags: -fopenmp
// exercises: GOMP_loop_ordered_static_start GOMP_ordered_end GOMP_ordered_start
#include "tests/programs/invisible.h"

int x;

int main(void) {
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered
    for (int i = 0; i < 2; i++) {
        if (racy && i == 1) {
            turn_wait(1);
            USE(x); //@race 2 read 4
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
