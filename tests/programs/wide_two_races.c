// SPDX-License-Identifier: Apache-2.0
// One wide write races with two narrow ones of two threads: both are told. The twin's wide write comes after the joins.
#include "tests/programs/invisible.h"

union {
    long all;
    char byte[8];
} u;

static NOINLINE void left(void) {
    u.byte[0] = 1; //@race L1 write 1
}

static NOINLINE void right(void) {
    u.byte[7] = 1; //@race R1 write 1
}

static NOINLINE void both(void) {
    u.all = 5; //@race L2 write 8; R2 write 8
}

THREAD(one) {
    left();
    turn_pass();
    return NULL;
}

THREAD(two) {
    turn_wait(1);
    right();
    turn_pass();
    return NULL;
}

THREAD(three) {
    turn_wait(2);
    if (racy)
        both();
    return NULL;
}

int main(void) {
    RUN(one, two, three);
    if (!racy)
        both();
    return 0;
}
