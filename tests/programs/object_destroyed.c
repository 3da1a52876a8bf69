// SPDX-License-Identifier: Apache-2.0
// A mutex, a reader-writer lock and a spin lock that all threads have used in order are destroyed after the last use of each, which the
// destroyer knows of by the lock itself. Racy: it knows of earlier uses only.
// reports: 3
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t s;
int x, y, z;

static void use_mutex(void) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
}

static void use_rwlock(void) {
    pthread_rwlock_wrlock(&l);
    y++;
    pthread_rwlock_unlock(&l);
}

static void use_spin(void) {
    pthread_spin_lock(&s);
    z++;
    pthread_spin_unlock(&s);
}

static void use_all(void) {
    use_mutex();
    use_rwlock();
    use_spin();
}

THREAD(first) {
    use_all();
    turn_pass();
    turn_wait(2);
    pthread_mutex_lock(&m); //@race A1 read 1
    x++;
    pthread_mutex_unlock(&m);
    pthread_rwlock_wrlock(&l); //@race B1 read 1
    y++;
    pthread_rwlock_unlock(&l);
    pthread_spin_lock(&s); //@race C1 read 1
    z++;
    pthread_spin_unlock(&s);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    use_all();
    turn_pass();
    turn_wait(3);
    if (!racy)
        use_all();
    pthread_mutex_destroy(&m);  //@race A2 write 1
    pthread_rwlock_destroy(&l); //@race B2 write 1
    pthread_spin_destroy(&s);   //@race C2 write 1
    return NULL;
}

int main(void) {
    MUST(pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE) == 0);
    RUN(first, second);
    return 0;
}
