// SPDX-License-Identifier: Apache-2.0
// Each access needs its own protection. Racy: the first thread writes x once under the mutex and once more after it.
// A detector that remembers only the mutex of the last protected access misses this (the 2006 report's Figure 3 does).
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1;
    if (racy)
        pthread_mutex_unlock(&m);
    __asm__ volatile("" : : : "memory");
    x = 2; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_mutex_lock(&m);
    x = 3; //@race 2 write 4
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
