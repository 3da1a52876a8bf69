// SPDX-License-Identifier: Apache-2.0
// Freeing a block conflicts with every use of it. Racy: the use is not ordered before the free.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long *block;

THREAD(first) {
    pthread_mutex_lock(&m);
    USE(block[2]); //@race 1 read 8
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    free(block); //@race 2 free *
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    block = malloc(5 * sizeof *block);
    MUST(block);
    RUN(first, second);
    return 0;
}
