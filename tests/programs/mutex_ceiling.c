// SPDX-License-Identifier: Apache-2.0
// A mutex with a priority ceiling refuses (EINVAL) threads of no such priority: that is no mistake, and no order. Racy: the data are
// written as if it had been taken.
// peer-skip: libtsan takes the mutex for a destroyed one
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t ceiling, m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void write_x(int value) {
    MUST(pthread_mutex_lock(&ceiling) == EINVAL);
    if (!racy)
        pthread_mutex_lock(&m);
    x = value; //@race 1 write 4; 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
}

THREAD(first) {
    write_x(1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    write_x(2);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_PROTECT);
    MUST(pthread_mutex_init(&ceiling, &a) == 0);
    RUN(first, second);
    return 0;
}
