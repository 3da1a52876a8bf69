// SPDX-License-Identifier: Apache-2.0
// A reader comes after the writer that released the lock before. Racy: the writer has a read lock only.
#include "tests/programs/invisible.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(writer) {
    if (racy)
        pthread_rwlock_rdlock(&l);
    else
        pthread_rwlock_wrlock(&l);
    x = 1; //@race 1 write 4
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(reader) {
    turn_wait(1);
    pthread_rwlock_rdlock(&l);
    USE(x); //@race 2 read 4
    pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    RUN(writer, reader);
    return 0;
}
