// SPDX-License-Identifier: Apache-2.0
// A timed lock that succeeds orders like a lock. Racy: it times out, and the second thread goes on all the same.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    turn_wait(2);
    if (racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(second) {
    const struct timespec long_ago = {1, 0};
    turn_wait(1);
    MUST(pthread_mutex_timedlock(&m, &long_ago) == (racy ? ETIMEDOUT : 0));
    x = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
