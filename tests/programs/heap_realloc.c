// SPDX-License-Identifier: Apache-2.0
// realloc frees the old block when it moves the data. Racy: another thread has read the old block without order.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *block;

THREAD(first) {
    if (!racy)
        pthread_mutex_lock(&m);
    USE(block[5]); //@race 1 read 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    int *moved = realloc(block, 400000 * sizeof *moved); //@race 2 free *
    pthread_mutex_unlock(&m);
    MUST(moved && moved[5] == 7);
    moved[399999] = 1;
    free(moved);
    return NULL;
}

int main(void) {
    block = malloc(10 * sizeof *block);
    void *behind = malloc(10); // so that the block cannot grow in place
    MUST(block && behind);
    block[5] = 7;
    RUN(first, second);
    free(behind);
    return 0;
}
