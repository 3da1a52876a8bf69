// SPDX-License-Identifier: Apache-2.0
// A report names also twenty locks exactly, after one of those in the middle was given up and others were taken. The twin's second
// thread takes the first of them.
// report: by thread T1 \(mutexes: (write M\d+, ){3}write M4, (write M\d+, ){15}write M20\)
// report: by thread T1 \(mutexes: write M1, write M2, write M3, write M5, (write M\d+, ){14}write M20\)
// report: by thread T1 \(mutexes: write M1, write M2, write M3, write M5, (write M\d+, ){14}write M20, read M21\)
#include "tests/programs/invisible.h"

enum { N = 20 };
static pthread_mutex_t lock[N];
static pthread_rwlock_t late = PTHREAD_RWLOCK_INITIALIZER;
_Alignas(8) int x;
_Alignas(8) int y;
_Alignas(8) int z;

THREAD(first) {
    for (int i = 0; i < N; i++)
        MUST(pthread_mutex_lock(&lock[i]) == 0);
    x = 1; //@race X1 write 4
    MUST(pthread_mutex_unlock(&lock[3]) == 0);
    y = 1; //@race Y1 write 4
    MUST(pthread_rwlock_rdlock(&late) == 0);
    z = 1; //@race Z1 write 4
    MUST(pthread_rwlock_unlock(&late) == 0);
    for (int i = 0; i < N; i++)
        if (i != 3)
            MUST(pthread_mutex_unlock(&lock[i]) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        MUST(pthread_mutex_lock(&lock[0]) == 0);
    x = 2; //@race X2 write 4
    y = 2; //@race Y2 write 4
    z = 2; //@race Z2 write 4
    if (!racy)
        MUST(pthread_mutex_unlock(&lock[0]) == 0);
    return NULL;
}

int main(void) {
    for (int i = 0; i < N; i++)
        MUST(pthread_mutex_init(&lock[i], NULL) == 0);
    RUN(first, second);
    return 0;
}
