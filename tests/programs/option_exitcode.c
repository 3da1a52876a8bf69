// SPDX-License-Identifier: Apache-2.0
// exitcode is the code of a program in which a race was reported, and of no other.
// options: exitcode=9
// racy-exit: 9
// exit: 3
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 3;
}
