// SPDX-License-Identifier: Apache-2.0
// Every other kind of mutex orders as the normal one does: adaptive, error-checking, shared between processes, one whose holder inherits
// the priority of who waits. Racy: the first thread writes after it has given the mutex up.
#include "tests/programs/invisible.h"

enum { ADAPTIVE, CHECKING, SHARED, INHERITS, KINDS };
static pthread_mutex_t m[KINDS];
int x[KINDS];

THREAD(first) {
    for (int i = 0; i < KINDS; i++) {
        pthread_mutex_lock(&m[i]);
        if (racy)
            pthread_mutex_unlock(&m[i]);
        switch (i) {
        case ADAPTIVE: x[i] = 1; break; //@race A1 write 4
        case CHECKING: x[i] = 1; break; //@race B1 write 4
        case SHARED: x[i] = 1; break;   //@race C1 write 4
        default: x[i] = 1; break;       //@race D1 write 4
        }
        if (!racy)
            pthread_mutex_unlock(&m[i]);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 0; i < KINDS; i++) {
        MUST(i % 2 ? pthread_mutex_trylock(&m[i]) == 0 : pthread_mutex_lock(&m[i]) == 0);
        switch (i) {
        case ADAPTIVE: x[i] = 2; break; //@race A2 write 4
        case CHECKING: x[i] = 2; break; //@race B2 write 4
        case SHARED: x[i] = 2; break;   //@race C2 write 4
        default: x[i] = 2; break;       //@race D2 write 4
        }
        MUST(pthread_mutex_unlock(&m[i]) == 0);
    }
    return NULL;
}

int main(void) {
    pthread_mutexattr_t a;
    for (int i = 0; i < KINDS; i++) {
        MUST(pthread_mutexattr_init(&a) == 0);
        if (i == ADAPTIVE || i == CHECKING)
            MUST(pthread_mutexattr_settype(&a, i == ADAPTIVE ? PTHREAD_MUTEX_ADAPTIVE_NP : PTHREAD_MUTEX_ERRORCHECK) == 0);
        if (i == SHARED)
            MUST(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED) == 0);
        if (i == INHERITS)
            MUST(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT) == 0);
        MUST(pthread_mutex_init(&m[i], &a) == 0);
    }
    RUN(first, second);
    return 0;
}
