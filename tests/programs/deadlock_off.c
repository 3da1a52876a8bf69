// SPDX-License-Identifier: Apache-2.0
// detect_deadlocks=no: only the other mistake is reported.
// options: detect_deadlocks=no
// reports: 1
#include "tests/programs/invisible.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(i ? &b : &a);
        pthread_mutex_lock(i ? &a : &b);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    if (racy)
        pthread_mutex_unlock(&a); //@mistake unlock of an unlocked mutex
    return 0;
}
