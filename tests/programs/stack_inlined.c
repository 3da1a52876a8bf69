// SPDX-License-Identifier: Apache-2.0
// A function that was inlined has its frame in the report all the same.
#include "tests/programs/invisible.h"

int x;

static inline __attribute__((always_inline)) void set(int value) {
    x = value; //@race 1 write 4 in set<first
}

THREAD(first) {
    set(1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4 in second
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
