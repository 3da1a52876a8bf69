// SPDX-License-Identifier: Apache-2.0
// A mutex that another thread gives up while its holder is in the second of two critical sections with nothing in between: what was done in the
// first one is ordered by that, what was done in the second is not. Racy: the other thread writes what was written in the second.
// peer-skip: libtsan lets the unlock order what the holder has done
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;

THREAD(first) {
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    y = 1; //@race 1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        pthread_mutex_unlock(&m); //@mistake unlock of an unlocked mutex
    pthread_mutex_lock(&m);
    x = 2;
    y = 2; //@race 2 write 4
    pthread_mutex_unlock(&m);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
