// SPDX-License-Identifier: Apache-2.0
// One thread fills a word by one statement; another touches two of its bytes at two places, in one stretch without
// synchronization: two races, and both are told.
#include "tests/programs/invisible.h"

union {
    int all;
    char byte[4];
} u;

static NOINLINE void low(void) {
    u.byte[0] = 1; //@race L2 write 1
}

static NOINLINE void high(void) {
    u.byte[3] = 1; //@race H2 write 1
}

THREAD(first) {
    u.all = 7; //@race L1 write 4; H1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        low();
        high();
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
