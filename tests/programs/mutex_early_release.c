// SPDX-License-Identifier: Apache-2.0
// A release publishes what is ordered before it, not what becomes ordered later. The second thread learns of the write
// through `late`. Racy: it has released `m` before that, so the third thread learns nothing from `m`.
#include "tests/programs/invisible.h"

static pthread_mutex_t late = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

static void pass_through(pthread_mutex_t *mutex) {
    pthread_mutex_lock(mutex);
    pthread_mutex_unlock(mutex);
}

THREAD(first) {
    pthread_mutex_lock(&late);
    x = 1; //@race 1 write 4
    pthread_mutex_unlock(&late);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        pass_through(&m);
    pthread_mutex_lock(&late);
    USE(x);
    pthread_mutex_unlock(&late);
    if (!racy)
        pass_through(&m);
    turn_pass();
    return NULL;
}

THREAD(third) {
    turn_wait(2);
    pass_through(&m);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second, third);
    return 0;
}
