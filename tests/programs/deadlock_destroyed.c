// SPDX-License-Identifier: Apache-2.0
// A lock that was destroyed leaves the order of locks: what comes to its address is another lock. Racy: it stays the same.
// reports: 1
#include "tests/programs/invisible.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;

NOINLINE static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); //@mistake lock-order-inversion
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

int main(void) {
    for (int i = 0; i < 200; i++) { // more than a thread remembers
        pthread_mutex_init(&b, NULL);
        both(&a, &b);
        MUST(pthread_mutex_destroy(&b) == 0);
    }
    pthread_mutex_init(&b, NULL);
    if (racy)
        both(&a, &b);
    both(&b, &a);
    return 0;
}
