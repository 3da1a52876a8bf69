// SPDX-License-Identifier: Apache-2.0
// Mutexes need not be released in the reverse order of their locking. Racy: the write happens after the release of
// `outer`, which is the only one that the second thread takes.
#include "tests/programs/invisible.h"

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&outer);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&inner);
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_mutex_t *m = racy ? &outer : &inner;
    turn_wait(1);
    pthread_mutex_lock(m);
    x = 2; //@race 2 write 4
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
