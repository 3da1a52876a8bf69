// SPDX-License-Identifier: Apache-2.0
// A region that is a loop, or sections, begins after what its maker did and ends before what that does next, however the
// library hands out the iterations; between them nothing orders them.
// flags: -fopenmp
// exercises: GOMP_parallel_loop_dynamic GOMP_parallel_loop_guided GOMP_parallel_loop_runtime GOMP_parallel_sections
// exercises: GOMP_parallel_loop_nonmonotonic_runtime GOMP_parallel_loop_maybe_nonmonotonic_runtime
#include "tests/programs/invisible.h"
#include <omp.h>

#define DO_(...) _Pragma(#__VA_ARGS__)
#define DO(...)  DO_(__VA_ARGS__)

_Alignas(8) int x[16][2], before[16], after[16];

#define LOOP(n, write, ...)                                                                                            \
    before[n] = 1;                                                                                                     \
    DO(omp parallel for num_threads(2) __VA_ARGS__)                                                                    \
    for (int i = 0; i < 2; i++) {                                                                                      \
        if (i == 0)                                                                                                    \
            turn_wait(2 * n + 1);                                                                                      \
        else                                                                                                           \
            turn_pass();                                                                                               \
        USE(before[n]);                                                                                                \
        if (i == 0) {                                                                                                  \
            write;                                                                                                     \
            after[n] = 1;                                                                                              \
            turn_pass();                                                                                               \
        } else {                                                                                                       \
            turn_wait(2 * n + 2);                                                                                      \
            if (racy)                                                                                                  \
                write;                                                                                                 \
        }                                                                                                              \
    }                                                                                                                  \
    USE(after[n]);

int main(void) {
    omp_set_schedule(omp_sched_dynamic, 1);
    LOOP(0, x[0][0] = 1, schedule(monotonic : dynamic, 1)) //@race A1 write 4; A2 write 4
    LOOP(1, x[1][0] = 1, schedule(monotonic : guided, 1)) //@race B1 write 4; B2 write 4
    LOOP(2, x[2][0] = 1, schedule(monotonic : runtime)) //@race C1 write 4; C2 write 4
    LOOP(3, x[3][0] = 1, schedule(nonmonotonic : runtime)) //@race D1 write 4; D2 write 4
    LOOP(4, x[4][0] = 1, schedule(runtime)) //@race E1 write 4; E2 write 4
    before[5] = 1;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            turn_wait(11);
            USE(before[5]);
            x[5][0] = 1; //@race F1 write 4
            after[5] = 1;
            turn_pass();
        }
#pragma omp section
        {
            turn_pass();
            USE(before[5]);
            turn_wait(12);
            if (racy)
                x[5][0] = 2; //@race F2 write 4
        }
    }
    USE(after[5]);
    return 0;
}
