// SPDX-License-Identifier: Apache-2.0
// A trywait orders when it succeeds. Racy: it fails, and the second thread goes on all the same.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <semaphore.h>

static sem_t s;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    if (!racy)
        sem_post(&s);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    int result = sem_trywait(&s);
    MUST(racy ? result == -1 && errno == EAGAIN : result == 0);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    sem_init(&s, 0, 0);
    RUN(first, second);
    sem_destroy(&s);
    return 0;
}
