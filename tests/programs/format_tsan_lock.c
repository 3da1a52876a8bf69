// SPDX-License-Identifier: Apache-2.0
// format=tsan: the use of a mutex, a reader-writer lock or a spin lock is an atomic read there, that of a condition variable a read.
// options: format=tsan
// racy-text: a lock's use is an atomic read in this format, and not in others
// reports: 4
// report: ^  Atomic read of size 1 at 0x[0-9a-f]+ by thread T2:\n    #0 pthread_mutex_lock <null> .*\n    #1 second \S+:\d+
// report: ^  Atomic read of size 1 at 0x[0-9a-f]+ by thread T2:\n    #0 pthread_rwlock_rdlock <null> .*\n    #1 second \S+:\d+
// report: ^  Atomic read of size 1 at 0x[0-9a-f]+ by thread T2:\n    #0 pthread_spin_lock <null> .*\n    #1 second \S+:\d+
// report: ^  Read of size 1 at 0x[0-9a-f]+ by thread T2:\n    #0 pthread_cond_signal <null> .*\n    #1 second \S+:\d+
// report: ^  Previous write of size 1 at 0x[0-9a-f]+ by thread T1 \(mutexes: write M0\):\n    #0 pthread_mutex_init <null>
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

static pthread_mutex_t m, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l;
static pthread_spinlock_t s;
static pthread_cond_t c;

THREAD(first) {
    pthread_mutex_lock(&other);
    pthread_mutex_init(&m, NULL);
    pthread_rwlock_init(&l, NULL);
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    pthread_cond_init(&c, NULL);
    pthread_mutex_unlock(&other);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy) {
        pthread_mutex_lock(&other);
        pthread_mutex_unlock(&other);
    }
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_unlock(&l);
    pthread_spin_lock(&s);
    pthread_spin_unlock(&s);
    pthread_cond_signal(&c);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
