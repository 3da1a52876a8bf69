// SPDX-License-Identifier: Apache-2.0
// Two threads that do wait for each other. The report comes before the wait, so that it is there although the program hangs
// (here: until main ends it). Twin: the second thread takes the locks in the same order.
// skip clang: the same as gcc
// report: ^  Cycle in lock order graph
#include "tests/programs/invisible.h"

#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

THREAD(first) {
    pthread_mutex_lock(&a);
    turn_pass();
    if (racy)
        turn_wait(2);
    pthread_mutex_lock(&b); //@mistake ?lock-order-inversion
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(racy ? &b : &a);
    turn_pass();
    pthread_mutex_lock(racy ? &a : &b); //@mistake ?lock-order-inversion
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    MUST(pthread_create(&t[0], NULL, first, NULL) == 0);
    MUST(pthread_create(&t[1], NULL, second, NULL) == 0);
    if (racy) {
        sleep(2);
        _exit(0);
    }
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
