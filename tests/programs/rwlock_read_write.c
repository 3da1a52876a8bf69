// SPDX-License-Identifier: Apache-2.0
// A writer comes after the readers that released the lock before. Three threads read, two of them at the same time.
// Racy: the write needs a write lock and has a read lock only.
#include "tests/programs/invisible.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x, y;

THREAD(early_reader) {
    pthread_rwlock_rdlock(&l);
    USE(y);
    turn_pass();
    turn_wait(2);
    USE(y);
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(reader) {
    turn_wait(1);
    pthread_rwlock_rdlock(&l);
    USE(x); //@race 1 read 4
    USE(y);
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(writer) {
    turn_wait(3);
    if (racy)
        pthread_rwlock_rdlock(&l);
    else
        pthread_rwlock_wrlock(&l);
    x = 1; //@race 2 write 4
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    RUN(early_reader, reader, writer);
    return 0;
}
