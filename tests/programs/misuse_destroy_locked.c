// SPDX-License-Identifier: Apache-2.0
// Locks that are destroyed while they are held.
// report: ^  and:$
// reports: 4
#include "tests/programs/invisible.h"

#include <stdlib.h>
#include <threads.h>

int main(void) {
    pthread_mutex_t *m = malloc(sizeof *m);
    pthread_rwlock_t r, w;
    mtx_t c;
    pthread_mutex_init(m, NULL);
    pthread_rwlock_init(&r, NULL);
    pthread_rwlock_init(&w, NULL);
    mtx_init(&c, mtx_plain);
    pthread_mutex_lock(m);
    pthread_rwlock_rdlock(&r);
    pthread_rwlock_wrlock(&w);
    mtx_lock(&c);
    if (!racy) {
        mtx_unlock(&c);
        pthread_rwlock_unlock(&w);
        pthread_rwlock_unlock(&r);
        pthread_mutex_unlock(m);
    }
    pthread_mutex_destroy(m);   //@mistake destroy of a locked mutex
    pthread_rwlock_destroy(&r); //@mistake destroy of a locked mutex
    pthread_rwlock_destroy(&w); //@mistake destroy of a locked mutex
    mtx_destroy(&c);            //@mistake destroy of a locked mutex
    free(m);
    return 0;
}
