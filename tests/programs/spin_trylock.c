// SPDX-License-Identifier: Apache-2.0
// A trylock of a spin lock orders when it succeeds. Racy: it fails, and the second thread goes on all the same.
#include "tests/programs/invisible.h"
#include <errno.h>

static pthread_spinlock_t s;
int x;

THREAD(first) {
    MUST(pthread_spin_trylock(&s) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        pthread_spin_unlock(&s);
    turn_pass();
    turn_wait(2);
    if (racy)
        pthread_spin_unlock(&s);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(pthread_spin_trylock(&s) == (racy ? EBUSY : 0));
    USE(x); //@race 2 read 4
    if (!racy)
        pthread_spin_unlock(&s);
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_spin_init(&s, PTHREAD_PROCESS_PRIVATE);
    RUN(first, second);
    pthread_spin_destroy(&s);
    return 0;
}
