// SPDX-License-Identifier: Apache-2.0
// The result of a loop's reduction is there after the barrier at its end.
// flags: -fopenmp
#include "tests/programs/invisible.h"

int s, x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 1) reduction(+ : s)
        for (int i = 0; i < 2; i++) {
            s += i + 1;
            if (racy && i == 0) {
                x = 1; //@race 1 write 4
                turn_pass();
            } else if (racy) {
                turn_wait(1);
                USE(x); //@race 2 read 4
            }
        }
        MUST(s == 3);
    }
    MUST(s == 3);
    return 0;
}
