// SPDX-License-Identifier: Apache-2.0
// A recursive mutex is released by its outermost unlock. Racy: the write follows the outermost unlock; in the twin it
// follows an inner one and is still protected.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
int x;

THREAD(first) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    MUST(pthread_mutex_trylock(&m) == 0);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    if (racy)
        pthread_mutex_unlock(&m);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 2; //@race 2 write 4
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
