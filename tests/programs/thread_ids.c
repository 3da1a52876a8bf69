// SPDX-License-Identifier: Apache-2.0
// Many threads make threads, join some and detach others at the same time: the system gives the id of one that has ended to the next, whoever
// makes it, at once. Who joins a thread comes after it, and none is leaked. Racy: the threads write to a word of all.
// options: report_thread_leaks=1
#include "tests/programs/invisible.h"

enum { MAKERS = 32, ROUNDS = 60 };
int done[MAKERS];
int shared;

THREAD(writes) {
    if (arg)
        *(int *)arg = 1;
    if (racy)
        shared = 1; //@race A1 write 4; A2 write 4
    return NULL;
}

THREAD(makes) {
    int *mine = arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_t joined, detached;
        MUST(pthread_create(&joined, NULL, writes, mine) == 0);
        MUST(pthread_create(&detached, NULL, writes, NULL) == 0 && pthread_detach(detached) == 0);
        MUST(pthread_join(joined, NULL) == 0);
        *mine = 0;
    }
    return NULL;
}

int main(void) {
    pthread_t maker[MAKERS];
    for (int i = 0; i < MAKERS; i++)
        MUST(pthread_create(&maker[i], NULL, makes, &done[i]) == 0);
    for (int i = 0; i < MAKERS; i++)
        MUST(pthread_join(maker[i], NULL) == 0);
    return 0;
}
