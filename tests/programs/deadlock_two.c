// SPDX-License-Identifier: Apache-2.0
// Two locks in both orders: a potential deadlock, though the threads run one after the other. Twin: the same order.
// report: ^  Cycle in lock order graph: M\d+ \(0x[0-9a-f]+\) => M\d+ \(0x[0-9a-f]+\) => M\d+$
// report: ^  Mutex M\d+ acquired here while holding mutex M\d+ in thread T1:$
// report: ^  Mutex M\d+ previously acquired by the same thread here:$
// report: ^  Mutex M\d+ acquired here while holding mutex M\d+ in thread T2:$
// reports: 1
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
