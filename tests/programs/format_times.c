// SPDX-License-Identifier: Apache-2.0
// Races on the same pair of stacks are told once; with dedup=no each time, with how often it was.
// options: dedup=no
// reports: 3
// report: ^  This pair of stacks has raced 3 times\.$
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

_Alignas(8) int x[3][2];

THREAD(first) {
    for (int i = 0; i < UNKNOWN(3); i++)
        x[i][0] = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 0; i < UNKNOWN(3); i++)
        USE(x[i][!racy]); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
