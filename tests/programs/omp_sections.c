// SPDX-License-Identifier: Apache-2.0
// Sections end with a barrier, unless they say nowait.
// flags: -fopenmp
// exercises: GOMP_sections_end GOMP_sections_end_nowait
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
#pragma omp sections NOWAIT
        {
#pragma omp section
            {
                x = 1; //@race 1 write 4
                mine = 1;
                turn_pass();
            }
#pragma omp section
            turn_wait(1);
        }
        if (!mine) {
            turn_wait(1);
            USE(x); //@race 2 read 4
        }
    }
    return 0;
}
