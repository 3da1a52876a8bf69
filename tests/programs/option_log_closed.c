// SPDX-License-Identifier: Apache-2.0
// log_path: what cannot be written there, here because the program closed it, goes to stderr, which says why.
// options: log_path=stdout
// report: goldilocks: reports cannot be written to stdout \(it is closed, error 9\); from here on they are here
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"
#include <unistd.h>

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
    MUST(close(1) == 0);
    RUN(first, second);
    return 0;
}
