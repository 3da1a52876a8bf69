// SPDX-License-Identifier: Apache-2.0
// Two atomic accesses never race, whatever their order. Racy: one of them is a plain read.
#include "tests/programs/invisible.h"

int x;

THREAD(first) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED); //@race 1 atomic write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    else
        USE(__atomic_load_n(&x, __ATOMIC_RELAXED));
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
