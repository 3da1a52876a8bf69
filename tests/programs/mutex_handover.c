// SPDX-License-Identifier: Apache-2.0
// Order is handed from lock to lock by a thread that never touches the data. Racy: that thread visits the two mutexes
// in the other order, so nothing is handed over.
#include "tests/programs/invisible.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&a);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&a);
    turn_pass();
    return NULL;
}

THREAD(carrier) {
    pthread_mutex_t *from = racy ? &b : &a;
    pthread_mutex_t *to = racy ? &a : &b;
    turn_wait(1);
    pthread_mutex_lock(from);
    pthread_mutex_unlock(from);
    pthread_mutex_lock(to);
    pthread_mutex_unlock(to);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    pthread_mutex_lock(&b);
    x = 2; //@race 2 write 4
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    RUN(first, carrier, last);
    return 0;
}
