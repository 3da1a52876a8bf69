// SPDX-License-Identifier: Apache-2.0
// An iteration that waits for another comes after what that one did before it said so, however the library hands out the iterations and
// whatever counts them. Racy: it waits for one that was not.
// flags: -fopenmp -Wno-unused-value
// flags gcc: -Wno-deprecated-openmp
// exercises: GOMP_loop_doacross_dynamic_start GOMP_loop_doacross_guided_start GOMP_loop_doacross_runtime_start
// exercises: GOMP_loop_ull_doacross_static_start GOMP_loop_ull_doacross_dynamic_start GOMP_loop_ull_doacross_guided_start
// exercises: GOMP_loop_ull_doacross_runtime_start GOMP_doacross_ull_post GOMP_doacross_ull_wait
#include "tests/programs/invisible.h"
#include <omp.h>

#define DO_(...) _Pragma(#__VA_ARGS__)
#define DO(...)  DO_(__VA_ARGS__)

#ifdef RACY
#define EARLIER i - 2
#else
#define EARLIER i - 1
#endif

_Alignas(8) int x[16][2];

#define LOOP(n, type, write, read, ...)                                                                                \
    DO(omp for ordered(1) __VA_ARGS__)                                                                                 \
    for (type i = 2; i < UNKNOWN((type)4); i++) {                                                                                     \
        if (i == 2)                                                                                                    \
            turn_wait(2 * n + 1);                                                                                      \
        else                                                                                                           \
            turn_pass();                                                                                               \
        DO(omp ordered depend(sink : EARLIER))                                                                         \
        if (i == 2) {                                                                                                  \
            write;                                                                                                     \
        } else {                                                                                                       \
            turn_wait(2 * n + 2);                                                                                      \
            read;                                                                                                      \
        }                                                                                                              \
        DO(omp ordered depend(source))                                                                                 \
        if (i == 2)                                                                                                    \
            turn_pass();                                                                                               \
    }

int main(void) {
    omp_set_schedule(omp_sched_dynamic, 1);
#pragma omp parallel num_threads(2)
    {
        LOOP(0, long, x[0][0] = 1, USE(x[0][0]), schedule(dynamic, 1)) //@race A1 write 4; A2 read 4
        LOOP(1, long, x[1][0] = 1, USE(x[1][0]), schedule(guided, 1)) //@race B1 write 4; B2 read 4
        LOOP(2, long, x[2][0] = 1, USE(x[2][0]), schedule(runtime)) //@race C1 write 4; C2 read 4
        LOOP(3, unsigned long long, x[3][0] = 1, USE(x[3][0]), schedule(static, 1)) //@race D1 write 4; D2 read 4
        LOOP(4, unsigned long long, x[4][0] = 1, USE(x[4][0]), schedule(dynamic, 1)) //@race E1 write 4; E2 read 4
        LOOP(5, unsigned long long, x[5][0] = 1, USE(x[5][0]), schedule(guided, 1)) //@race F1 write 4; F2 read 4
        LOOP(6, unsigned long long, x[6][0] = 1, USE(x[6][0]), schedule(runtime)) //@race G1 write 4; G2 read 4
    }
    return 0;
}
