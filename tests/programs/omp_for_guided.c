// SPDX-License-Identifier: Apache-2.0
// The iterations of a loop are not ordered, though the library hands them out one after the other (guided).
// flags: -fopenmp
// exercises: GOMP_parallel_loop_nonmonotonic_guided
#include "tests/programs/invisible.h"

int x[2];

int main(void) {
#pragma omp parallel for num_threads(2) schedule(guided, 1)
    for (int i = 0; i < 2; i++)
        if (i == 0) {
            x[0] = 1; //@race 1 write 4
            turn_pass();
            turn_wait(2); // so that another thread has the other iteration
        } else {
            turn_wait(1);
            x[racy ? 0 : 1] = 2; //@race 2 write 4
            turn_pass();
        }
    return 0;
}
