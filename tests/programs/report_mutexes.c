// SPDX-License-Identifier: Apache-2.0
// The report names the mutexes that were held at each access and says where they come from.
// report: ^  (Read|Write) of size 4 at 0x[0-9a-f]+ by thread T2 \(mutexes: write M\d+\):$
// report: ^  Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(mutexes: (read M\d+, write M\d+|write M\d+, read M\d+)\):$
// report: ^  Mutex M\d+ \(0x[0-9a-f]+\) created at:$
#include "tests/programs/invisible.h"

static pthread_mutex_t a, b;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&a);
    pthread_rwlock_rdlock(&l);
    x = 1; //@race 1 write 4
    pthread_rwlock_unlock(&l);
    pthread_mutex_unlock(&a);
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_mutex_t *m = racy ? &b : &a;
    turn_wait(1);
    pthread_mutex_lock(m);
    USE(x); //@race 2 read 4
    pthread_mutex_unlock(m);
    return NULL;
}

int main(void) {
    pthread_mutex_init(&a, NULL);
    pthread_mutex_init(&b, NULL);
    RUN(first, second);
    return 0;
}
