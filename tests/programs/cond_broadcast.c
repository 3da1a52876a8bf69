// SPDX-License-Identifier: Apache-2.0
// A broadcast wakes all waiters, one after the other under the mutex. Racy: they use what they share after its unlock.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static long woken;
int x;

THREAD(waiter) {
    pthread_mutex_lock(&m);
    turn_pass();
    while (!ready)
        pthread_cond_wait(&c, &m);
    if (racy)
        pthread_mutex_unlock(&m);
    x = 1; //@race 1 write 4; 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(signaller) {
    turn_wait(3);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    hidden_put(&woken, 1);
    return NULL;
}

int main(void) {
    RUN(waiter, waiter, waiter, signaller);
    return 0;
}
