// SPDX-License-Identifier: Apache-2.0
// The ordered blocks of a loop come one after the other, however the library hands out its iterations and whatever counts them; what is
// outside of them does not.
// flags: -fopenmp -Wno-unused-value
// exercises: GOMP_loop_ordered_guided_start GOMP_loop_ordered_runtime_start
// exercises: GOMP_loop_ull_ordered_static_start GOMP_loop_ull_ordered_dynamic_start GOMP_loop_ull_ordered_guided_start
// exercises: GOMP_loop_ull_ordered_runtime_start
#include "tests/programs/invisible.h"
#include <omp.h>

#define DO_(...) _Pragma(#__VA_ARGS__)
#define DO(...)  DO_(__VA_ARGS__)

_Alignas(8) int x[16][2];

// Two iterations, on two threads; the second one's turn comes within the first one's block.
#define LOOP(n, type, write, read, ...)                                                                                \
    DO(omp for ordered __VA_ARGS__)                                                                                    \
    for (type i = 0; i < UNKNOWN((type)2); i++) {                                                                                     \
        if (i == 0) {                                                                                                  \
            turn_wait(2 * n + 1);                                                                                      \
        } else {                                                                                                       \
            turn_pass();                                                                                               \
            if (racy) {                                                                                                \
                turn_wait(2 * n + 2);                                                                                  \
                read;                                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
        DO(omp ordered) {                                                                                              \
            if (i == 0) {                                                                                              \
                write;                                                                                                 \
                turn_pass();                                                                                           \
            } else {                                                                                                   \
                read;                                                                                                  \
            }                                                                                                          \
        }                                                                                                              \
    }

int main(void) {
    omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel num_threads(2)
    {
        LOOP(0, long, x[0][0] = 1, USE(x[0][0]), schedule(guided, 1)) //@race A1 write 4; A2 read 4
        LOOP(1, long, x[1][0] = 1, USE(x[1][0]), schedule(runtime)) //@race B1 write 4; B2 read 4
        LOOP(2, unsigned long long, x[2][0] = 1, USE(x[2][0]), schedule(static, 1)) //@race C1 write 4; C2 read 4
        LOOP(3, unsigned long long, x[3][0] = 1, USE(x[3][0]), schedule(dynamic, 1)) //@race D1 write 4; D2 read 4
        LOOP(4, unsigned long long, x[4][0] = 1, USE(x[4][0]), schedule(guided, 1)) //@race E1 write 4; E2 read 4
        LOOP(5, unsigned long long, x[5][0] = 1, USE(x[5][0]), schedule(runtime)) //@race F1 write 4; F2 read 4
    }
    return 0;
}
