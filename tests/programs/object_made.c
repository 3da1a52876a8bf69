// SPDX-License-Identifier: Apache-2.0
// Locks, condition variables and barriers are made before others use them. Racy: nothing orders the use after the making, though it came
// later. (What is done under the lock then is ordered by the lock.)
// reports: 5
#include "tests/programs/invisible.h"

static pthread_mutex_t m, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l;
static pthread_spinlock_t s;
static pthread_cond_t c;
static pthread_barrier_t b;
int x;

THREAD(first) {
    pthread_mutex_lock(&other);
    pthread_mutex_init(&m, NULL);                       //@race A1 write 1
    pthread_rwlock_init(&l, NULL);                      //@race B1 write 1
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);     //@race C1 write 1
    pthread_cond_init(&c, NULL);                        //@race D1 write 1
    pthread_barrier_init(&b, NULL, 1);                  //@race E1 write 1
    pthread_mutex_unlock(&other);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy) {
        pthread_mutex_lock(&other);
        pthread_mutex_unlock(&other);
    }
    pthread_rwlock_rdlock(&l); //@race B2 read 1
    pthread_rwlock_unlock(&l);
    pthread_spin_lock(&s); //@race C2 read 1
    pthread_spin_unlock(&s);
    pthread_cond_signal(&c);  //@race D2 read 1
    pthread_barrier_wait(&b); //@race E2 read 1
    pthread_mutex_lock(&m);   //@race A2 read 1
    x = 2;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
