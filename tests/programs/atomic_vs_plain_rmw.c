// SPDX-License-Identifier: Apache-2.0
// A counter that one thread increments atomically and another one plainly. Racy: as said; in the twin the plain write
// comes before the threads start.
#include "tests/programs/invisible.h"

long x;

THREAD(first) {
    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST); //@race 1 atomic write 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 5; //@race 2 write 8
    else
        __atomic_fetch_sub(&x, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    x = 4;
    RUN(first, second);
    return 0;
}
