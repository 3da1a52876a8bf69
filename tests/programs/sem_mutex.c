// SPDX-License-Identifier: Apache-2.0
// A semaphore that starts at 1 excludes like a mutex. Racy: it starts at 2 and lets both threads in at once; the second
// enters before the first has left.
#include "tests/programs/invisible.h"
#include <semaphore.h>

static sem_t s;
int x;

THREAD(first) {
    sem_wait(&s);
    x = 1; //@race 1 write 4
    if (racy)
        turn_pass();
    turn_wait(racy ? 2 : 0);
    sem_post(&s);
    if (!racy)
        turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    sem_wait(&s);
    x = 2; //@race 2 write 4
    sem_post(&s);
    turn_pass();
    return NULL;
}

int main(void) {
    sem_init(&s, 0, racy ? 2 : 1);
    RUN(first, second);
    sem_destroy(&s);
    return 0;
}
