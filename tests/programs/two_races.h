// SPDX-License-Identifier: Apache-2.0
// Two races of one thread, one right after the other: for options that say what happens at the first of them.
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    x = 1; //@race A1 write 4
    y = 1; //@race ?B1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(x); //@race A2 read 4
        USE(y); //@race ?B2 read 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
