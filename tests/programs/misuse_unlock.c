// SPDX-License-Identifier: Apache-2.0
// Unlocks of mutexes that the thread does not hold. Twin: of those that it holds, and of one that checks for errors.
// reports: 3
#include "tests/programs/invisible.h"

#include <threads.h>

static pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER, others = PTHREAD_MUTEX_INITIALIZER;

THREAD(wrong) {
    pthread_mutex_unlock(&others); //@mistake unlock of an unlocked mutex (or by a wrong thread)
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutexattr_t attr;
    pthread_mutex_t checks, recursive;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&checks, &attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&recursive, &attr);
    MUST(pthread_mutex_unlock(&checks) != 0);

    if (!racy)
        pthread_mutex_lock(&never);
    pthread_mutex_unlock(&never); //@mistake unlock of an unlocked mutex (or by a wrong thread)

    pthread_mutex_lock(&others);
    if (racy) {
        MUST(pthread_create(&t, NULL, wrong, NULL) == 0);
        pthread_join(t, NULL);
    }
    pthread_mutex_unlock(&others); // out of step after the first mistake, and not told again

    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&recursive);
    for (int i = 0; i < 2; i++)
        pthread_mutex_unlock(&recursive);
    if (racy)
        pthread_mutex_unlock(&recursive); //@mistake unlock of an unlocked mutex (or by a wrong thread)
    return 0;
}
