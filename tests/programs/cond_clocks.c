// SPDX-License-Identifier: Apache-2.0
// Waiting for a condition until some time, and as C11 does it, takes the mutex again, which orders. Racy: what is read after the wait was
// written after the mutex was left.
#include "tests/programs/invisible.h"
#include <threads.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static mtx_t n;
static cnd_t plain, timed;
static int flags[3];
_Alignas(8) int a, b, d;

THREAD(first) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    if (!racy)
        a = 1;
    flags[0] = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    if (racy)
        a = 1; //@race A1 write 4
    turn_pass();
    turn_wait(3);
    mtx_lock(&n);
    if (!racy)
        b = 1;
    flags[1] = 1;
    cnd_signal(&plain);
    mtx_unlock(&n);
    if (racy)
        b = 1; //@race B1 write 4
    turn_pass();
    turn_wait(5);
    mtx_lock(&n);
    if (!racy)
        d = 1;
    flags[2] = 1;
    cnd_signal(&timed);
    mtx_unlock(&n);
    if (racy)
        d = 1; //@race D1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    struct timespec later;
    clock_gettime(CLOCK_MONOTONIC, &later);
    later.tv_sec += 100000;
    pthread_mutex_lock(&m);
    turn_pass();
    while (!flags[0])
        MUST(pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &later) == 0);
    pthread_mutex_unlock(&m);
    turn_wait(2);
    USE(a); //@race A2 read 4
    mtx_lock(&n);
    turn_pass();
    while (!flags[1])
        MUST(cnd_wait(&plain, &n) == thrd_success);
    mtx_unlock(&n);
    turn_wait(4);
    USE(b); //@race B2 read 4
    MUST(timespec_get(&later, TIME_UTC) == TIME_UTC);
    later.tv_sec += 100000;
    mtx_lock(&n);
    turn_pass();
    while (!flags[2])
        MUST(cnd_timedwait(&timed, &n, &later) == thrd_success);
    mtx_unlock(&n);
    turn_wait(6);
    USE(d); //@race D2 read 4
    return NULL;
}

int main(void) {
    MUST(pthread_cond_init(&c, NULL) == 0);
    mtx_init(&n, mtx_timed);
    cnd_init(&plain);
    cnd_init(&timed);
    RUN(first, second);
    MUST(pthread_cond_destroy(&c) == 0);
    return 0;
}
