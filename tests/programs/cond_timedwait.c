// SPDX-License-Identifier: Apache-2.0
// A timed wait releases the mutex and takes it again, also when nobody signals. The waiter writes before the wait and
// reads after it; the other thread uses the mutex between. Racy: the other thread does not take it.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static long done;
_Alignas(8) int x, y;

THREAD(waiter) {
    pthread_mutex_lock(&m);
    x = 1; //@race A1 write 4
    turn_pass();
    do {
        const struct timespec long_ago = {1, 0};
        MUST(pthread_cond_timedwait(&c, &m, &long_ago) == ETIMEDOUT);
    } while (!hidden_get(&done));
    USE(y); //@race B2 read 4
    pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(other) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    USE(x); //@race A2 read 4
    y = 1; //@race B1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    hidden_put(&done, 1);
    return NULL;
}

int main(void) {
    RUN(waiter, other);
    return 0;
}
