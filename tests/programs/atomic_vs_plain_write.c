// SPDX-License-Identifier: Apache-2.0
// An atomic load races with a plain write.
#include "tests/programs/invisible.h"

int x;

THREAD(first) {
    if (racy)
        x = 1; //@race 1 write 4
    else
        __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(__atomic_load_n(&x, __ATOMIC_RELAXED)); //@race 2 atomic read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
