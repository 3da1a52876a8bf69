// SPDX-License-Identifier: Apache-2.0
// color=always: also into files.
// options: color=always
// racy-text: the colours stand before the title
// report: ^\x1b\[1m\x1b\[31mWARNING: Goldilocks: data race \(pid=\d+\)\x1b\[0m$
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
