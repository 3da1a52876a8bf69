// SPDX-License-Identifier: Apache-2.0
// A cycle of three locks, each pair in a function of its own. Twin: the last pair is taken by attempts, which wait for nothing.
// report: ^  Cycle in lock order graph: M\d+ \S+ => M\d+ \S+ => M\d+ \S+ => M\d+$
// reports: 1
#include "tests/programs/invisible.h"

static pthread_mutex_t m[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

NOINLINE static void both(int i, int k) {
    pthread_mutex_lock(&m[i]);
    pthread_mutex_lock(&m[k]); //@mistake lock-order-inversion
    pthread_mutex_unlock(&m[k]);
    pthread_mutex_unlock(&m[i]);
}

int main(void) {
    both(0, 1);
    both(1, 2);
    if (racy) {
        both(2, 0);
    } else {
        pthread_mutex_lock(&m[2]);
        MUST(pthread_mutex_trylock(&m[0]) == 0);
        pthread_mutex_unlock(&m[0]);
        pthread_mutex_unlock(&m[2]);
    }
    return 0;
}
