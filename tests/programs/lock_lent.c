// SPDX-License-Identifier: Apache-2.0
// An annotation gives up a lock of the library's in the name of its holder, and another one takes it back before it is unlocked, as OpenSSL does with the locks of its RCU:
// no mistake, again and again, and what each holder does comes before the next one's. Racy: one of them does not lock.
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
int x, y, z;

static void lend(void *lock) {
    __tsan_mutex_pre_unlock(lock, 0);
    __tsan_mutex_post_unlock(lock, 0);
}

static void take_back(void *lock) {
    __tsan_mutex_pre_lock(lock, 0);
    __tsan_mutex_post_lock(lock, 0, 0);
}

static void *first(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        lend(&m);
        pthread_rwlock_wrlock(&l);
        lend(&l);
        pthread_spin_lock(&s);
        lend((void *)&s);
        x = 1; //@race A1 write 4
        y = 1; //@race B1 write 4
        z = 1; //@race C1 write 4
        take_back((void *)&s);
        pthread_spin_unlock(&s);
        take_back(&l);
        pthread_rwlock_unlock(&l);
        take_back(&m);
        pthread_mutex_unlock(&m);
    }
    turn_pass();
    return unused;
}

static void *second(void *unused) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    x = 2; //@race A2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    if (!racy)
        pthread_rwlock_rdlock(&l);
    y = 2; //@race B2 write 4
    if (!racy)
        pthread_rwlock_unlock(&l);
    if (!racy)
        pthread_spin_lock(&s);
    z = 2; //@race C2 write 4
    if (!racy)
        pthread_spin_unlock(&s);
    return unused;
}

int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    RUN(first, second);
    return 0;
}
