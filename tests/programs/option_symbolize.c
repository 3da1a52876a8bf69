// SPDX-License-Identifier: Apache-2.0
// symbolize=no: modules and offsets, for tools that find the names later.
// options: symbolize=no
// racy-text: it has no lines
// reports: 1
// report: ^    #0 <null> <null> \(option_symbolize\S*\+0x[0-9a-f]+\)$
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
    return 0;
}
