// SPDX-License-Identifier: Apache-2.0
// One reader does not pass on what another reader did before: read locks order nothing among themselves. The writer's
// lock does. Racy: the thread between the two takes a read lock.
#include "tests/programs/invisible.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(between) {
    turn_wait(1);
    if (racy)
        pthread_rwlock_rdlock(&l);
    else
        pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    pthread_rwlock_rdlock(&l);
    x = 2; //@race 2 write 4
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    RUN(first, between, last);
    return 0;
}
