// SPDX-License-Identifier: Apache-2.0
// A trylock that succeeds orders like a lock. Racy: it fails, because the first thread still holds the mutex, and the
// second thread goes on all the same.
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    MUST(pthread_mutex_trylock(&m) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    turn_wait(2);
    if (racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(pthread_mutex_trylock(&m) == (racy ? EBUSY : 0));
    x = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
