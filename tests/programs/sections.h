// SPDX-License-Identifier: Apache-2.0
// A critical section: for programs whose segments come and go. Each is a segment of its own: with no other lock in between the last one
// would go on (docs/algorithm.md, fact 8b).
#include "tests/programs/invisible.h"

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER, between = PTHREAD_MUTEX_INITIALIZER;
int shared;

__attribute__((unused)) static void *section(void *arg) {
    pthread_mutex_lock(&common);
    shared++;
    pthread_mutex_unlock(&common);
    pthread_mutex_lock(&between);
    pthread_mutex_unlock(&between);
    return arg;
}
