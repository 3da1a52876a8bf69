// SPDX-License-Identifier: Apache-2.0
// on_race=trap stops the thread right before the access that makes the race: by SIGTRAP, for a debugger, or for the end.
// options: on_race=trap
// reports: 1
// racy-exit: -5
// peer-skip: options and layout of our own
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
