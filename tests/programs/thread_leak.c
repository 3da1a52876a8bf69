// SPDX-License-Identifier: Apache-2.0
// Threads that ended and were neither joined nor detached; those created at one place are told as one. Twin: joined or detached,
// and one that still runs.
// report: ^  And 2 more similar thread leaks\.$
// reports: 1
#include "tests/programs/invisible.h"

static long who[3];

THREAD(ends) {
    hidden_sign(arg);
    return NULL;
}

THREAD(stays) {
    for (;;)
        hidden_yield();
    return NULL;
}

int main(void) {
    pthread_t t[4];
    MUST(pthread_create(&t[3], NULL, stays, NULL) == 0);
    for (int i = 0; i < UNKNOWN(3); i++) // one place in the machine code too
        MUST(pthread_create(&t[i], NULL, ends, &who[i]) == 0); //@mistake thread leak
    for (int i = 0; i < 3; i++)
        if (racy)
            hidden_wait_signed_gone(&who[i]);
        else if (i)
            pthread_join(t[i], NULL);
        else
            pthread_detach(t[i]);
    return 0;
}
