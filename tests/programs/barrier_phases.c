// SPDX-License-Identifier: Apache-2.0
// A barrier puts what all threads did before it ahead of what any does after it. Racy: the second thread reads before.
#include "tests/programs/invisible.h"

static pthread_barrier_t b;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    pthread_barrier_wait(&b);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_barrier_wait(&b);
    USE(x); //@race 2 read 4
    if (racy)
        pthread_barrier_wait(&b);
    return NULL;
}

int main(void) {
    MUST(pthread_barrier_init(&b, NULL, 2) == 0);
    RUN(first, second);
    pthread_barrier_destroy(&b);
    return 0;
}
