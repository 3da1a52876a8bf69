// SPDX-License-Identifier: Apache-2.0
// The same two lines race three times, the first of them under no lock, under one and under two: one pair of stacks, one report. The
// twin's second thread waits for the first to end.
// reports: 1
#include "tests/programs/invisible.h"

enum { TIMES = 3 };
static pthread_mutex_t mutex[TIMES] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
_Alignas(8) long x[TIMES];
static pthread_t one;

THREAD(first) {
    for (int i = 0; i < UNKNOWN(TIMES); i++) {
        for (int k = 0; k < UNKNOWN(i); k++)
            MUST(pthread_mutex_lock(&mutex[k]) == 0);
        x[UNKNOWN(i)] = 1; //@race 1 write 8
        for (int k = UNKNOWN(i); k-- > 0;)
            MUST(pthread_mutex_unlock(&mutex[k]) == 0);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        MUST(pthread_join(one, NULL) == 0);
    for (int i = 0; i < UNKNOWN(TIMES); i++)
        x[UNKNOWN(i)] = 2; //@race 2 write 8
    return NULL;
}

int main(void) {
    pthread_t two;
    MUST(pthread_create(&one, NULL, first, NULL) == 0);
    MUST(pthread_create(&two, NULL, second, NULL) == 0);
    if (racy)
        MUST(pthread_join(one, NULL) == 0);
    MUST(pthread_join(two, NULL) == 0);
    return 0;
}
