// SPDX-License-Identifier: Apache-2.0
// A semaphore's wait comes after the post that let it through. Racy: the data is written after the post.
#include "tests/programs/invisible.h"
#include <semaphore.h>

static sem_t s;
int x;

THREAD(first) {
    if (racy)
        sem_post(&s);
    x = 1; //@race 1 write 4
    if (!racy)
        sem_post(&s);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(sem_wait(&s) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    sem_init(&s, 0, 0);
    RUN(first, second);
    sem_destroy(&s);
    return 0;
}
