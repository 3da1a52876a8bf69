// SPDX-License-Identifier: Apache-2.0
// The value of the last iteration is there after the barrier at the end of the loop.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int v, x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) lastprivate(v)
        for (int i = 0; i < 2; i++) {
            v = i;
            if (racy && i == 0) {
                x = 1; //@race 1 write 4
                turn_pass();
            } else if (racy) {
                turn_wait(1);
                USE(x); //@race 2 read 4
            }
        }
        MUST(v == 1);
    }
    return 0;
}
