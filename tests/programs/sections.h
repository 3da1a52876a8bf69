// SPDX-License-Identifier: Apache-2.0
// A critical section: for programs whose segments come and go.
#include "tests/programs/invisible.h"

static pthread_mutex_t common = PTHREAD_MUTEX_INITIALIZER;
int shared;

__attribute__((unused)) static void *section(void *arg) {
    pthread_mutex_lock(&common);
    shared++;
    pthread_mutex_unlock(&common);
    return arg;
}
