// SPDX-License-Identifier: Apache-2.0
// A detached thread can still be waited for with a semaphore. Racy: it writes after its post.
#include "tests/programs/invisible.h"
#include <semaphore.h>

static sem_t done;
int x;

THREAD(child) {
    pthread_detach(pthread_self());
    if (racy)
        sem_post(&done);
    x = 1; //@race 1 write 4
    if (!racy)
        sem_post(&done);
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    sem_init(&done, 0, 0);
    MUST(pthread_create(&t, NULL, child, NULL) == 0);
    turn_wait(1);
    sem_wait(&done);
    USE(x); //@race 2 read 4
    return 0;
}
