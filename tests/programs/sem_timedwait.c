// SPDX-License-Identifier: Apache-2.0
// A timed wait orders when it succeeds. Racy: it times out, and the second thread goes on all the same.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <semaphore.h>
#include <time.h>

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
    const struct timespec long_ago = {1, 0};
    turn_wait(1);
    int result = sem_timedwait(&s, &long_ago);
    MUST(racy ? result == -1 && errno == ETIMEDOUT : result == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    sem_init(&s, 0, 0);
    RUN(first, second);
    sem_destroy(&s);
    return 0;
}
