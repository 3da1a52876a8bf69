// SPDX-License-Identifier: Apache-2.0
// A thread may hold many mutexes at once. Each thread holds 128 while it writes; in the twin they share the last one.
#include "tests/programs/invisible.h"

enum { HELD = 128 };
static pthread_mutex_t m[2 * HELD];
int x;

static void lock_all(pthread_mutex_t *from) {
    for (int i = 0; i < HELD; i++)
        MUST(pthread_mutex_lock(&from[i]) == 0);
}

static void unlock_all(pthread_mutex_t *from) {
    for (int i = HELD; i-- > 0;)
        MUST(pthread_mutex_unlock(&from[i]) == 0);
}

THREAD(first) {
    lock_all(m);
    x = 1; //@race 1 write 4
    unlock_all(m);
    turn_pass();
    return NULL;
}

THREAD(second) {
    pthread_mutex_t *from = racy ? m + HELD : m + HELD - 1;
    turn_wait(1);
    lock_all(from);
    x = 2; //@race 2 write 4
    unlock_all(from);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 2 * HELD; i++)
        MUST(pthread_mutex_init(&m[i], NULL) == 0);
    RUN(first, second);
    return 0;
}
