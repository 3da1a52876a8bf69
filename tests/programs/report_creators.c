// SPDX-License-Identifier: Apache-2.0
// The two threads of a race are told first, then those that created them.
// report: ^  Thread T3 \(tid=\d+, running\) created by thread T1 at:\n(    #.*\n)+\n  Thread T2 \(tid=\d+, finished\) created by thread T1 at:\n(    #.*\n)+\n  Thread T1 \(tid=\d+, running\) created by main thread at:
// peer-skip: libtsan does not tell of the creators
#include "tests/programs/invisible.h"

int x;
static long of_first;

THREAD(first) {
    x = 1; //@race 1 write 4
    hidden_sign(&of_first);
    turn_pass();
    return NULL;
}

THREAD(second) {
    hidden_wait_signed_gone(&of_first);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

THREAD(creator) {
    pthread_t t[2];
    MUST(pthread_create(&t[0], NULL, first, NULL) == 0);
    turn_wait(1);
    if (!racy)
        MUST(pthread_join(t[0], NULL) == 0);
    MUST(pthread_create(&t[1], NULL, second, NULL) == 0);
    MUST(pthread_join(t[1], NULL) == 0);
    if (racy)
        MUST(pthread_join(t[0], NULL) == 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, creator, NULL) == 0);
    MUST(pthread_join(t, NULL) == 0);
    return 0;
}
