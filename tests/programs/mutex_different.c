// SPDX-License-Identifier: Apache-2.0
// Two mutexes order nothing between each other. Racy: each thread takes its own.
#include "tests/programs/invisible.h"

static pthread_mutex_t ours = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&ours);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&ours);
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_mutex_t *m = racy ? &other : &ours;
    turn_wait(1);
    pthread_mutex_lock(m);
    USE(x); //@race 2 read 4
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
