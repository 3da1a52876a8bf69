// SPDX-License-Identifier: Apache-2.0
// A variable on main's stack that a thread uses through a pointer. Racy: main reads it before the join.
#include "tests/programs/invisible.h"

static void *child(void *arg) {
    *(int *)arg = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

static NOINLINE void work(void) {
    int local = 0;
    pthread_t t;
    MUST(pthread_create(&t, NULL, child, &local) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    USE(local); //@race 2 read 4 in work<main
    if (racy)
        pthread_join(t, NULL);
}

int main(void) {
    work();
    return 0;
}
