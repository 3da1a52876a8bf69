// SPDX-License-Identifier: Apache-2.0
// Who signals a condition variable while it holds the mutex may leave its end to who waits. Racy: it signals after it has given up the mutex, when
// the one that waited may have destroyed it already.
// reports: 2
#include "tests/programs/invisible.h"
#include <threads.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static cnd_t d;
int done;

THREAD(first) {
    pthread_mutex_lock(&m);
    done = 1;
    if (racy)
        pthread_mutex_unlock(&m);
    pthread_cond_signal(&c); //@race A1 read 1
    cnd_broadcast(&d);       //@race B1 read 1
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    while (!done)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_cond_destroy(&c); //@race A2 write 1
    cnd_destroy(&d);          //@race B2 write 1
    return NULL;
}

int main(void) {
    MUST(cnd_init(&d) == thrd_success);
    RUN(first, second);
    return 0;
}
