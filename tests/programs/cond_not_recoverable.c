// SPDX-License-Identifier: Apache-2.0
// A wait whose robust mutex is lost meanwhile (ENOTRECOVERABLE) returns without it: it comes after nothing. Racy: the waiter writes what the thread that
// gave the mutex up has written. Twin: it joins that thread before, and may try the mutex again.
// skip emulated: qemu has no robust mutexes
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_t last;
int x;

THREAD(dies) {
    pthread_mutex_lock(&m); // the waiter has given it up
    return NULL;
}

THREAD(loses) {
    pthread_t t;
    turn_wait(1);
    MUST(pthread_create(&t, NULL, dies, NULL) == 0 && pthread_join(t, NULL) == 0);
    MUST(pthread_mutex_lock(&m) == EOWNERDEAD);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    return NULL;
}

THREAD(waits) {
    MUST(pthread_mutex_lock(&m) == 0);
    turn_pass();
    MUST(pthread_cond_wait(&c, &m) == ENOTRECOVERABLE);
    if (!racy)
        pthread_join(last, NULL);
    x = 2; //@race 2 write 4
    MUST(pthread_mutex_lock(&m) == ENOTRECOVERABLE);
    if (racy)
        pthread_join(last, NULL);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    MUST(pthread_create(&last, NULL, loses, NULL) == 0);
    RUN(waits);
    return 0;
}
