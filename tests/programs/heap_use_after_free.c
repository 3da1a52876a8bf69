// SPDX-License-Identifier: Apache-2.0
// A use after the free, unordered with it, is a race with the free. In the twin the use comes first.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long *block;

static void release(void) {
    pthread_mutex_lock(&m);
    free(block); //@race 1 free *
    pthread_mutex_unlock(&m);
}

THREAD(user) {
    if (racy)
        turn_wait(1);
    else
        pthread_mutex_lock(&m);
    long *p = UNKNOWN(block);
    USE(p[2]); //@race 2 read 8
    if (!racy) {
        pthread_mutex_unlock(&m);
        turn_pass();
    }
    return NULL;
}

THREAD(owner) {
    if (!racy)
        turn_wait(1);
    release();
    turn_pass();
    return NULL;
}

int main(void) {
    block = malloc(5 * sizeof *block);
    MUST(block);
    RUN(user, owner);
    return 0;
}
