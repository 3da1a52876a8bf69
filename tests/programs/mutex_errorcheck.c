// SPDX-License-Identifier: Apache-2.0
// An errorcheck mutex refuses the unlock of a thread that does not hold it, and a refused unlock is no release. Racy:
// the first thread only tries such an unlock; in the twin it has taken the mutex before.
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
int x;

THREAD(first) {
    if (!racy) {
        MUST(pthread_mutex_lock(&m) == 0);
        MUST(pthread_mutex_lock(&m) == EDEADLK);
    }
    x = 1; //@race 1 write 4
    MUST(pthread_mutex_unlock(&m) == (racy ? EPERM : 0));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(pthread_mutex_lock(&m) == 0);
    x = 2; //@race 2 write 4
    MUST(pthread_mutex_unlock(&m) == 0);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
