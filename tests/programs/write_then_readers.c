// SPDX-License-Identifier: Apache-2.0
// A write followed by several readers: those in order are fine. Racy: the last one is not.
#include "tests/programs/invisible.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(writer) {
    pthread_rwlock_wrlock(&l);
    x = 1; //@race 1 write 4
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(reader) {
    turn_wait(1);
    pthread_rwlock_rdlock(&l);
    USE(x);
    pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(4);
    if (!racy)
        pthread_rwlock_rdlock(&l);
    USE(x); //@race 2 read 4
    if (!racy)
        pthread_rwlock_unlock(&l);
    return NULL;
}

int main(void) {
    RUN(writer, reader, reader, reader, last);
    return 0;
}
