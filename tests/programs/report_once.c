// SPDX-License-Identifier: Apache-2.0
// A race between the same two stacks is one report, however often it happens.
// reports: 1
#include "tests/programs/invisible.h"

enum { ELEMENTS = 1000 };
int x[ELEMENTS];

static NOINLINE void fill(void) {
    for (int i = 0; i < ELEMENTS; i++)
        x[i] = UNKNOWN(i); //@race 1 write 4; 2 write 4
}

THREAD(first) {
    fill();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        fill();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
