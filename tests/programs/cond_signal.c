// SPDX-License-Identifier: Apache-2.0
// A waiter sees what the signaller did before it gave back the mutex. Racy: the data is written after the unlock.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
int x;

THREAD(waiter) {
    pthread_mutex_lock(&m);
    turn_pass();
    while (!ready)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    turn_wait(2);
    USE(x); //@race 2 read 4
    return NULL;
}

THREAD(signaller) {
    turn_wait(1);
    if (!racy)
        x = 1;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(waiter, signaller);
    return 0;
}
