// SPDX-License-Identifier: Apache-2.0
// A robust mutex refuses the unlock of a thread that does not hold it, and a refused unlock is no release; the same of one with
// priority inheritance, whose unlock the kernel refuses. Racy: the first thread only tries such unlocks; in the twin it has taken the mutexes before.
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_mutex_t m, n;
_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    if (!racy) {
        MUST(pthread_mutex_lock(&m) == 0);
        MUST(pthread_mutex_lock(&n) == 0);
    }
    x = 1; //@race A1 write 4
    MUST(pthread_mutex_unlock(&m) == (racy ? EPERM : 0)); //@mistake ?unlock of an unlocked mutex
    y = 1; //@race B1 write 4
    (void)pthread_mutex_unlock(&n); //@mistake ?unlock of an unlocked mutex
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(pthread_mutex_lock(&m) == 0);
    x = 2; //@race A2 write 4
    MUST(pthread_mutex_unlock(&m) == 0);
    MUST(pthread_mutex_lock(&n) == 0);
    y = 2; //@race B2 write 4
    MUST(pthread_mutex_unlock(&n) == 0);
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a, b;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_mutexattr_init(&b);
    pthread_mutexattr_setprotocol(&b, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&n, &b);
    RUN(first, second);
    return 0;
}
