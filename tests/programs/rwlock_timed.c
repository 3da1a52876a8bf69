// SPDX-License-Identifier: Apache-2.0
// Timed locks of a read-write lock order when they succeed. Racy: both time out because a writer holds the lock.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <time.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
_Alignas(8) int x, y;

THREAD(first) {
    pthread_rwlock_wrlock(&l);
    x = 1; //@race A1 write 4
    y = 1; //@race B1 write 4
    if (!racy)
        pthread_rwlock_unlock(&l);
    turn_pass();
    turn_wait(2);
    if (racy)
        pthread_rwlock_unlock(&l);
    return NULL;
}

THREAD(second) {
    const struct timespec long_ago = {1, 0};
    const int expected = racy ? ETIMEDOUT : 0;
    turn_wait(1);
    MUST(pthread_rwlock_timedrdlock(&l, &long_ago) == expected);
    USE(x); //@race A2 read 4
    if (!racy)
        pthread_rwlock_unlock(&l);
    MUST(pthread_rwlock_timedwrlock(&l, &long_ago) == expected);
    y = 2; //@race B2 write 4
    if (!racy)
        pthread_rwlock_unlock(&l);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
