// SPDX-License-Identifier: Apache-2.0
// A write lock orders all that follows. Racy: both threads write under a read lock, which they could hold together.
#include "tests/programs/invisible.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

static void lock(void) {
    MUST((racy ? pthread_rwlock_rdlock(&l) : pthread_rwlock_wrlock(&l)) == 0);
}

THREAD(first) {
    lock();
    x = 1; //@race 1 write 4
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    lock();
    x = 2; //@race 2 write 4
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
