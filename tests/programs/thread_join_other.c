// SPDX-License-Identifier: Apache-2.0
// A thread may be joined by another than its creator; the order goes to the joiner. Racy: the one that reads has not
// heard of the join.
#include "tests/programs/invisible.h"

static pthread_t worker_thread;
int x;

THREAD(worker) {
    x = 1; //@race 1 write 4
    return NULL;
}

THREAD(joiner) {
    pthread_join(worker_thread, NULL);
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&worker_thread, NULL, worker, NULL) == 0);
    MUST(pthread_create(&t, NULL, joiner, NULL) == 0);
    turn_wait(1);
    if (!racy)
        pthread_join(t, NULL);
    USE(x); //@race 2 read 4
    if (racy)
        pthread_join(t, NULL);
    return 0;
}
