// SPDX-License-Identifier: Apache-2.0
// A thread that nobody joined is ordered before nothing, even when it is gone and a later thread has taken its place in
// the detector's tables. Racy: the first thread is detached. In both builds 20 threads follow before the last one.
// peer-skip gcc: libtsan v2 takes the last thread for the first one after 16 others
#include "tests/programs/invisible.h"

static long first_tid;
_Alignas(8) int x, y;

THREAD(first) {
    x = 1; //@race 1 write 4
    hidden_put(&first_tid, hidden_tid());
    turn_pass();
    return NULL;
}

THREAD(between) {
    y++;
    return NULL;
}

THREAD(last) {
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, first, NULL) == 0);
    turn_wait(1);
    if (racy)
        pthread_detach(t);
    else
        pthread_join(t, NULL);
    hidden_wait_gone(hidden_get(&first_tid));
    for (int i = 0; i < 20; i++)
        RUN(between);
    RUN(last);
    return 0;
}
