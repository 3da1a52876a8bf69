// SPDX-License-Identifier: Apache-2.0
// Barriers of regions, loops and sections that may be cancelled, and are not, order like others. Racy: what the threads do is on the same
// side of them.
// flags: -fopenmp
// exercises: GOMP_barrier_cancel GOMP_loop_end_cancel GOMP_sections_end_cancel
#include "tests/programs/invisible.h"
#include <omp.h>

_Alignas(8) int x[4][2];
int no;

int main(void) {
    no = UNKNOWN(0);
#pragma omp parallel num_threads(2)
    {
        int first = omp_get_thread_num() == 0;
#pragma omp cancel parallel if (no)
        if (first) {
            x[0][0] = 1; //@race A1 write 4
            turn_pass();
        } else if (racy) {
            turn_wait(1);
            USE(x[0][0]); //@race A2 read 4
        }
#pragma omp barrier
        USE(x[0][0]);
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 2; i++) {
#pragma omp cancel for if (no)
            if (i == 0) {
                x[1][0] = 1; //@race B1 write 4
                turn_pass();
                turn_wait(3);
            } else {
                turn_wait(2);
                if (racy)
                    USE(x[1][0]); //@race B2 read 4
                turn_pass();
            }
        }
        USE(x[1][0]);
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections if (no)
                turn_wait(4);
                x[2][0] = 1; //@race C1 write 4
                turn_pass();
            }
#pragma omp section
            {
                turn_pass();
                turn_wait(5);
                if (racy)
                    USE(x[2][0]); //@race C2 read 4
            }
        }
        USE(x[2][0]);
    }
    return 0;
}
