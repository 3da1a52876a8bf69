// SPDX-License-Identifier: Apache-2.0
// A thread that ends with pthread_exit ends like one that returns; its cleanup handlers belong to it. Racy: the
// creator reads before the join.
#include "tests/programs/invisible.h"

int x;

static void cleanup(void *arg) {
    (void)arg;
    x = 1; //@race 1 write 4 in cleanup
    turn_pass();
}

static NOINLINE void leave(void) {
    pthread_exit(NULL);
}

THREAD(child) {
    pthread_cleanup_push(cleanup, NULL);
    leave();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    USE(x); //@race 2 read 4
    if (racy)
        pthread_join(t, NULL);
    return 0;
}
