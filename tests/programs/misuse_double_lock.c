// SPDX-License-Identifier: Apache-2.0
// Locks that their holder waits for. The report comes first, then the program hangs (here: until a timer ends it).
// skip clang: the same as gcc
// options: report_thread_leaks=no
// reports: 3
#include "tests/programs/invisible.h"

#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t read_first = PTHREAD_RWLOCK_INITIALIZER, write_first = PTHREAD_RWLOCK_INITIALIZER;

THREAD(upgrades) {
    pthread_rwlock_rdlock(&read_first);
    pthread_rwlock_rdlock(&read_first); // may be held several times for reading
    pthread_rwlock_unlock(&read_first);
    if (racy)
        pthread_rwlock_wrlock(&read_first); //@mistake double lock of a mutex
    pthread_rwlock_unlock(&read_first);
    return NULL;
}

THREAD(downgrades) {
    pthread_rwlock_wrlock(&write_first);
    if (racy)
        pthread_rwlock_rdlock(&write_first); //@mistake read lock of a write locked mutex
    pthread_rwlock_unlock(&write_first);
    return NULL;
}

THREAD(twice) {
    pthread_mutex_lock(&r);
    pthread_mutex_lock(&r);
    pthread_mutex_unlock(&r);
    pthread_mutex_unlock(&r);
    pthread_mutex_lock(&m);
    if (racy)
        pthread_mutex_lock(&m); //@mistake double lock of a mutex
    pthread_mutex_unlock(&m);
    return NULL;
}

static pthread_rwlock_t handed = PTHREAD_RWLOCK_INITIALIZER;

THREAD(takes_over) {
    pthread_rwlock_unlock(&handed); // a reader's hold is nobody's in particular
    return NULL;
}

int main(void) {
    pthread_t other;
    pthread_rwlock_rdlock(&handed);
    MUST(pthread_create(&other, NULL, takes_over, NULL) == 0);
    pthread_join(other, NULL);
    pthread_rwlock_wrlock(&handed); // so this is no second lock
    pthread_rwlock_unlock(&handed);

    void *(*f[])(void *) = {upgrades, downgrades, twice};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        MUST(pthread_create(&t[i], NULL, f[i], NULL) == 0);
    if (racy) {
        sleep(2);
        _exit(0);
    }
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
