// SPDX-License-Identifier: Apache-2.0
// Waits on a condition variable with mutexes that the thread does not hold, which unlock them. Twin: with mutexes that it holds, and with one that checks
// for errors, which refuses; that one stays the other thread's.
// reports: 3
#include "tests/programs/invisible.h"
#include <errno.h>
#include <threads.h>
#include <time.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER, others = PTHREAD_MUTEX_INITIALIZER, checks;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static const struct timespec long_ago = {1, 0};
int x;

THREAD(waits) {
    if (!racy)
        pthread_mutex_lock(&others);
    pthread_cond_timedwait(&condition, &others, &long_ago); //@mistake unlock of an unlocked mutex (or by a wrong thread)
    pthread_mutex_unlock(&others);
    return NULL;
}

THREAD(holds_checking) {
    pthread_mutex_lock(&checks);
    x = 1;
    turn_pass();
    turn_wait(2);
    x = 2;
    pthread_mutex_unlock(&checks);
    return NULL;
}

THREAD(waits_checking) {
    turn_wait(1);
    MUST(pthread_cond_timedwait(&condition, &checks, &long_ago) == EPERM);
    turn_pass();
    pthread_mutex_lock(&checks);
    USE(x);
    pthread_mutex_unlock(&checks);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t attr;
    mtx_t of_c11;
    cnd_t condition_of_c11;

    if (!racy)
        pthread_mutex_lock(&never);
    pthread_cond_timedwait(&condition, &never, &long_ago); //@mistake unlock of an unlocked mutex (or by a wrong thread)
    pthread_mutex_unlock(&never);

    RUN(waits);

    mtx_init(&of_c11, mtx_plain);
    cnd_init(&condition_of_c11);
    if (!racy)
        mtx_lock(&of_c11);
    cnd_timedwait(&condition_of_c11, &of_c11, &long_ago); //@mistake unlock of an unlocked mutex (or by a wrong thread)
    mtx_unlock(&of_c11);

    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checks, &attr);
    RUN(holds_checking, waits_checking);
    return 0;
}
