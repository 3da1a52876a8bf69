// SPDX-License-Identifier: Apache-2.0
// The same of a C11 mutex, a spin lock and reader-writer locks.
// reports: 4
#include "tests/programs/invisible.h"

#include <threads.h>

static mtx_t m;
static pthread_spinlock_t s;
static pthread_rwlock_t nobody = PTHREAD_RWLOCK_INITIALIZER, written = PTHREAD_RWLOCK_INITIALIZER;

THREAD(reader) {
    pthread_rwlock_unlock(&written); //@mistake unlock of an unlocked mutex
    return NULL;
}

int main(void) {
    pthread_t t;
    mtx_init(&m, mtx_plain);
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    if (!racy) {
        mtx_lock(&m);
        pthread_spin_lock(&s);
        pthread_rwlock_rdlock(&nobody);
    }
    mtx_unlock(&m);                 //@mistake unlock of an unlocked mutex
    pthread_spin_unlock(&s);        //@mistake unlock of an unlocked mutex
    pthread_rwlock_unlock(&nobody); //@mistake unlock of an unlocked mutex
    pthread_rwlock_wrlock(&written);
    if (racy) {
        MUST(pthread_create(&t, NULL, reader, NULL) == 0);
        pthread_join(t, NULL);
    } else {
        pthread_rwlock_unlock(&written);
    }
    return 0;
}
