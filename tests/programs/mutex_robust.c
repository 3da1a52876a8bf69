// SPDX-License-Identifier: Apache-2.0
// A thread ends holding a robust mutex; who takes it over (EOWNERDEAD) comes after all that the dead thread did. Racy: the
// heir writes before it takes the mutex.
// skip emulated: qemu has no robust mutexes
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t m;
int x;

THREAD(dies) {
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(heir) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    MUST(pthread_mutex_lock(&m) == EOWNERDEAD);
    pthread_mutex_consistent(&m);
    if (!racy)
        x = 3;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    RUN(dies, heir);
    return 0;
}
