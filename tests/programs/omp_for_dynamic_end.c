// SPDX-License-Identifier: Apache-2.0
// The same of a loop whose iterations the library hands out.
// flags: -fopenmp
// exercises: GOMP_loop_end
#include "tests/programs/invisible.h"

#ifdef RACY
#define NOWAIT nowait
#else
#define NOWAIT
#endif

int x;

int main(void) {
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp for schedule(dynamic, 1) NOWAIT
        for (int i = 0; i < 8; i++)
            if (i == 0) {
                x = 1; //@race 1 write 4
                mine = 1;
                turn_pass();
            }
        if (!mine) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
    }
    return 0;
}
