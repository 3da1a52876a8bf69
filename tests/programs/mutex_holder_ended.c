// SPDX-License-Identifier: Apache-2.0
// A thread ends holding a mutex that is not robust. Another thread, which libc lets unlock it, takes it then: that orders nothing. Racy: it
// writes what the ended thread wrote; in the twin the first thread unlocks the mutex before it ends.
// not recorded: who ends with a lock is recorded as giving it up
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long first_id;
int x;

THREAD(first) {
    hidden_sign(&first_id);
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(second) {
    hidden_wait_signed_gone(&first_id);
    if (racy)
        pthread_mutex_unlock(&m); //@mistake unlock of an unlocked mutex
    pthread_mutex_lock(&m);
    x = 2; //@race 2 write 4
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
