// SPDX-License-Identifier: Apache-2.0
// What gcc calls for loops with reductions by tasks and for loops of big numbers, and the locks as Fortran calls them.
// flags: -fopenmp -Wno-unused-value
// flags gcc: -Wno-deprecated-openmp
// only: gcc (names of libgomp)
// skip gcc -O2: gcc 12 breaks down over the loops with reductions by tasks (-g -O2 -fsanitize=thread)
// exercises: GOMP_workshare_task_reduction_unregister GOMP_taskloop_ull GOMP_loop_ordered_start GOMP_loop_ull_ordered_start
// exercises: GOMP_loop_doacross_start GOMP_loop_ull_doacross_start
// peer-skip: libtsan does not know libgomp
#include "tests/programs/invisible.h"
#include <omp.h>
#include <stdbool.h>

void omp_init_lock_(omp_lock_t *), omp_destroy_lock_(omp_lock_t *), omp_set_lock_(omp_lock_t *), omp_unset_lock_(omp_lock_t *);
int omp_test_lock_(omp_lock_t *), omp_test_nest_lock_(omp_nest_lock_t *);
void omp_init_nest_lock_(omp_nest_lock_t *), omp_destroy_nest_lock_(omp_nest_lock_t *);
void omp_set_nest_lock_(omp_nest_lock_t *), omp_unset_nest_lock_(omp_nest_lock_t *);

#ifdef RACY
#define NOGROUP nogroup
#else
#define NOGROUP
#endif

_Alignas(8) int x[8][2];
static omp_lock_t lock[2];
static omp_nest_lock_t nest[2];
int s;

// Loops with reductions by tasks: two iterations, on two threads; see omp_ordered_ways.c.
#define DO_(...) _Pragma(#__VA_ARGS__)
#define DO(...)  DO_(__VA_ARGS__)
#define TURN(n)  (2 * (n)-5)
#define ORDERED(n, type, write, read)                                                                                  \
    DO(omp for ordered schedule(static, 1) reduction(task, + : s))                                                     \
    for (type i = 0; i < UNKNOWN((type)2); i++) {                                                                      \
        if (i == 0) {                                                                                                  \
            turn_wait(TURN(n) + 1);                                                                                    \
        } else {                                                                                                       \
            turn_pass();                                                                                               \
            if (racy) {                                                                                                \
                turn_wait(TURN(n) + 2);                                                                                \
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
#ifdef RACY
#define EARLIER i - 2
#else
#define EARLIER i - 1
#endif
#define DOACROSS(n, type, write, read)                                                                                 \
    DO(omp for ordered(1) schedule(static, 1) reduction(task, + : s))                                                  \
    for (type i = 2; i < UNKNOWN((type)4); i++) {                                                                      \
        if (i == 2)                                                                                                    \
            turn_wait(TURN(n) + 1);                                                                                    \
        else                                                                                                           \
            turn_pass();                                                                                               \
        DO(omp ordered depend(sink : EARLIER))                                                                         \
        if (i == 2) {                                                                                                  \
            write;                                                                                                     \
        } else {                                                                                                       \
            turn_wait(TURN(n) + 2);                                                                                    \
            read;                                                                                                      \
        }                                                                                                              \
        DO(omp ordered depend(source))                                                                                 \
        if (i == 2)                                                                                                    \
            turn_pass();                                                                                               \
    }

// What gcc would call for a static schedule that it does not hand out itself.
void GOMP_parallel_loop_static(void (*)(void *), void *, unsigned, long start, long end, long incr, long chunk, unsigned flags);
bool GOMP_loop_static_next(long *start, long *end);
void GOMP_loop_end_nowait(void);
static int before, after[2];
static void part(void *arg) {
    long from, to;
    USE(before);
    while (GOMP_loop_static_next(&from, &to))
        for (long i = from; i < to; i++)
            if (i == 0) {
                x[7][0] = 1; //@race H1 write 4
                after[0] = *(int *)arg;
                turn_pass();
            } else {
                turn_wait(12);
                if (racy)
                    x[7][0] = 2; //@race H2 write 4
            }
    GOMP_loop_end_nowait();
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        omp_init_lock_(&lock[i]);
        omp_init_nest_lock_(&nest[i]);
    }
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock_(&lock[0]);
            x[0][0] = 1; //@race A1 write 4
            omp_unset_lock_(&lock[0]);
            omp_set_nest_lock_(&nest[0]);
            MUST(omp_test_nest_lock_(&nest[0]) == 2);
            x[1][0] = 1; //@race B1 write 4
            omp_unset_nest_lock_(&nest[0]);
            omp_unset_nest_lock_(&nest[0]);
            turn_pass();
        } else {
            turn_wait(1);
            MUST(omp_test_lock_(&lock[racy]));
            x[0][0] = 2; //@race A2 write 4
            omp_unset_lock_(&lock[racy]);
            omp_set_nest_lock_(&nest[racy]);
            x[1][0] = 2; //@race B2 write 4
            omp_unset_nest_lock_(&nest[racy]);
        }
#pragma omp barrier
#pragma omp for schedule(static, 1) reduction(task, + : s)
        for (int i = 0; i < 2; i++)
            s += i;
        MUST(s == 1);
        ORDERED(3, long, x[3][0] = 1, USE(x[3][0])) //@race D1 write 4; D2 read 4
        ORDERED(4, unsigned long long, x[4][0] = 1, USE(x[4][0])) //@race E1 write 4; E2 read 4
        DOACROSS(5, long, x[5][0] = 1, USE(x[5][0])) //@race F1 write 4; F2 read 4
        DOACROSS(6, unsigned long long, x[6][0] = 1, USE(x[6][0])) //@race G1 write 4; G2 read 4
#pragma omp single
        {
            int here = omp_get_thread_num();
#pragma omp taskloop num_tasks(2) NOGROUP
            for (unsigned long long i = 0; i < UNKNOWN(2ull); i++)
                if (omp_get_thread_num() != here || !racy) {
                    if (i == 0)
                        x[2][0] = 1; //@race C1 write 4
                    turn_pass();
                }
            turn_wait(11);
            USE(x[2][0]); //@race C2 read 4
        }
    }
    before = 1;
    GOMP_parallel_loop_static(part, &before, 2, 0, 2, 1, 1, 0);
    USE(after[0]);
    for (int i = 0; i < 2; i++) {
        omp_destroy_lock_(&lock[i]);
        omp_destroy_nest_lock_(&nest[i]);
    }
    return 0;
}
