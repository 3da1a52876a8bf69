// SPDX-License-Identifier: Apache-2.0
// A signal alone orders nothing: the order comes from the mutex. Racy: the signaller never takes it.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long woken;
int x;

THREAD(waiter) {
    pthread_mutex_lock(&m);
    turn_pass();
    turn_wait(1);
    pthread_cond_wait(&c, &m);
    turn_wait(2); // the write below has happened even if the wait returned early
    USE(x); //@race 2 read 4
    hidden_put(&woken, 1);
    pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(signaller) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    while (!hidden_get(&woken)) { // without the mutex the first signals may come too early
        pthread_cond_signal(&c);
        hidden_yield();
    }
    return NULL;
}

int main(void) {
    RUN(waiter, signaller);
    return 0;
}
