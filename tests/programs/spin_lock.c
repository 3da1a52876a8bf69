// SPDX-License-Identifier: Apache-2.0
// A spin lock orders what two threads do under it. Racy: the first thread writes after its unlock.
#include "tests/programs/invisible.h"

static pthread_spinlock_t s;
int x;

THREAD(first) {
    pthread_spin_lock(&s);
    if (racy)
        pthread_spin_unlock(&s);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_spin_unlock(&s);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    pthread_spin_lock(&s);
    x = 2; //@race 2 write 4
    pthread_spin_unlock(&s);
    return NULL;
}

int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    RUN(first, second);
    pthread_spin_destroy(&s);
    return 0;
}
