// SPDX-License-Identifier: Apache-2.0
// Reader-writer locks in both orders. Racy: one of the four is a writer at both ends of a wait. Twin: all are readers, which do
// not wait for each other.
// reports: 1
#include "tests/programs/invisible.h"

static pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;

int main(void) {
    pthread_rwlock_rdlock(&a);
    pthread_rwlock_rdlock(&b); //@mistake lock-order-inversion
    pthread_rwlock_unlock(&b);
    pthread_rwlock_unlock(&a);

    if (racy)
        pthread_rwlock_wrlock(&b);
    else
        pthread_rwlock_rdlock(&b);
    if (racy)
        pthread_rwlock_wrlock(&a);
    else
        pthread_rwlock_rdlock(&a);
    pthread_rwlock_unlock(&a);
    pthread_rwlock_unlock(&b);
    return 0;
}
