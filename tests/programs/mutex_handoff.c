// SPDX-License-Identifier: Apache-2.0
// A mutex used as a signal: main locks it twice, the worker unlocks it in between. Undefined by POSIX, done all the same; the
// unlock orders. Racy: main reads before its second lock.
// options: report_mutex_bugs=no
#include "tests/programs/invisible.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

THREAD(worker) {
    x = 1; //@race 1 write 4
    turn_pass();
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_mutex_lock(&m);
    MUST(pthread_create(&t, NULL, worker, NULL) == 0);
    if (racy) {
        turn_wait(1);
        x = 2; //@race 2 write 4
    }
    pthread_mutex_lock(&m); // waits for the worker
    if (!racy)
        x = 3;
    pthread_join(t, NULL);
    return 0;
}
