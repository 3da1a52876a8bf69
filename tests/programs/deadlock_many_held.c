// SPDX-License-Identifier: Apache-2.0
// A thread that holds 300 locks takes them in one order; later the last one and then the first, which closes a cycle
// by way of some of those in between. Twin: in the same order.
// report: ^  Cycle in lock order graph: M\d+ \S+ => M\d+
// reports: 1
#include "tests/programs/invisible.h"

enum { N = 300 };
static pthread_rwlock_t l[N];

static void take(int i) {
    pthread_rwlock_wrlock(&l[i]); //@mistake lock-order-inversion
}

int main(void) {
    for (int i = 0; i < N; i++)
        pthread_rwlock_init(&l[i], NULL);
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < N; i++)
            take(i);
        for (int i = 0; i < N; i++)
            pthread_rwlock_unlock(&l[i]);
    }
    take(racy ? N - 1 : 0);
    take(racy ? 0 : N - 1);
    pthread_rwlock_unlock(&l[0]);
    pthread_rwlock_unlock(&l[N - 1]);
    for (int i = 0; i < N; i++)
        pthread_rwlock_destroy(&l[i]);
    return 0;
}
