// SPDX-License-Identifier: Apache-2.0
// Two locks, taken in different orders by two threads: for what a report of that says.
#include "tests/programs/invisible.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

THREAD(first) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //@mistake lock-order-inversion (potential deadlock)
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 0; i < 3; i++) { // once is enough to tell
        pthread_mutex_lock(racy ? &b : &a);
        pthread_mutex_lock(racy ? &a : &b);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
