// SPDX-License-Identifier: Apache-2.0
// Two threads work on the halves of one array. Racy: the second half begins one element too early.
#include "tests/programs/invisible.h"

enum { ELEMENTS = 200 };
int x[ELEMENTS];

static NOINLINE void fill(int from, int to) {
    for (int i = from; i < to; i++)
        x[i] = i; //@race 1 write 4; 2 write 4
}

THREAD(first) {
    fill(0, ELEMENTS / 2);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    fill(ELEMENTS / 2 - racy, ELEMENTS);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
