// SPDX-License-Identifier: Apache-2.0
// The lock of a stream, taken by flockfile, is a lock. Racy: the second thread does not take it.
// peer-skip: libtsan does not know flockfile
#include "tests/programs/invisible.h"
#include <stdio.h>

int x;

THREAD(first) {
    flockfile(stdout);
    x = 1; //@race 1 write 4
    funlockfile(stdout);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        MUST(ftrylockfile(stdout) == 0);
    USE(x); //@race 2 read 4
    if (!racy)
        funlockfile(stdout);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
