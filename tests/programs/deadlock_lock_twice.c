// SPDX-License-Identifier: Apache-2.0
// A lock is a part of a cycle once: nobody holds it for writing while others read. Racy: x and a are taken in both orders by writers, and x and b by readers of x,
// which is no cycle, also not one by way of a. Twin: a is taken in one order only.
// reports: 1
// options: dedup=no
#include "tests/programs/invisible.h"

static pthread_rwlock_t x = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_rwlock_wrlock(&x);
    pthread_mutex_lock(&a); //@mistake lock-order-inversion
    pthread_mutex_unlock(&a);
    pthread_rwlock_unlock(&x);

    if (racy)
        pthread_mutex_lock(&a);
    pthread_rwlock_wrlock(&x);
    pthread_rwlock_unlock(&x);
    if (racy)
        pthread_mutex_unlock(&a);

    pthread_rwlock_rdlock(&x);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_rwlock_unlock(&x);

    pthread_mutex_lock(&b);
    pthread_rwlock_rdlock(&x);
    pthread_rwlock_unlock(&x);
    pthread_mutex_unlock(&b);
}
