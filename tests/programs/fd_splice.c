// SPDX-License-Identifier: Apache-2.0
// What splice moves from pipe to pipe orders its writer before its reader. Racy: the data is written after the byte.
// peer-skip: libtsan does not know splice
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

static int near_[2], far_[2];
int x;

THREAD(first) {
    if (racy)
        MUST(write(near_[1], "a", 1) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(write(near_[1], "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(splice(near_[0], NULL, far_[1], NULL, 1, 0) == 1);
    MUST(read(far_[0], &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(near_) == 0 && pipe(far_) == 0);
    RUN(first, second);
    return 0;
}
