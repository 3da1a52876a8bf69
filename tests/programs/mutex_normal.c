// SPDX-License-Identifier: Apache-2.0
// A mutex orders what two threads do under it. Racy: the second thread does not take it.
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    x = 2; //@race 2 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
