// SPDX-License-Identifier: Apache-2.0
// A report names the locks under which each of its accesses was made, in the order in which they were taken, and how: those that
// were taken later, while the same segment went on, are no part of the first accesses. The twin's second thread takes the mutex.
// report: Write of size 4 at 0x[0-9a-f]+ by thread T2 \(mutexes: read M1\)
// report: Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(mutexes: read M1, write M2\)
// report: Previous write of size 4 at 0x[0-9a-f]+ by thread T1 \(mutexes: read M1, write M2, write M3\)
#include "tests/programs/invisible.h"

static pthread_rwlock_t read_by_both = PTHREAD_RWLOCK_INITIALIZER, written = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    MUST(pthread_rwlock_rdlock(&read_by_both) == 0);
    MUST(pthread_mutex_lock(&mutex) == 0);
    x = 1; //@race X1 write 4
    MUST(pthread_rwlock_wrlock(&written) == 0);
    y = 1; //@race Y1 write 4
    MUST(pthread_rwlock_unlock(&written) == 0);
    MUST(pthread_mutex_unlock(&mutex) == 0);
    MUST(pthread_rwlock_unlock(&read_by_both) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(pthread_rwlock_rdlock(&read_by_both) == 0);
    if (!racy)
        MUST(pthread_mutex_lock(&mutex) == 0);
    x = 2; //@race X2 write 4
    y = 2; //@race Y2 write 4
    if (!racy)
        MUST(pthread_mutex_unlock(&mutex) == 0);
    MUST(pthread_rwlock_unlock(&read_by_both) == 0);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
