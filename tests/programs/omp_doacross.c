// SPDX-License-Identifier: Apache-2.0
// An iteration that waits for another comes after what that one did before it said so.
// flags: -fopenmp
// flags gcc: -Wno-deprecated-openmp
// exercises: GOMP_doacross_post GOMP_doacross_wait GOMP_loop_doacross_static_start GOMP_loop_end_nowait
#include "tests/programs/invisible.h"

#ifdef RACY
#define EARLIER i - 2
#else
#define EARLIER i - 1
#endif

int x;

int main(void) {
#pragma omp parallel for num_threads(2) schedule(static, 1) ordered(1)
    for (int i = 2; i < 4; i++) {
#pragma omp ordered depend(sink : EARLIER)
        if (i == 2) {
            x = 1; //@race 1 write 4
        } else {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
#pragma omp ordered depend(source)
        if (i == 2)
            turn_pass();
    }
    return 0;
}
