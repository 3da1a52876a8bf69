// SPDX-License-Identifier: Apache-2.0
// What tee copies from pipe to pipe orders its writer before its reader. Racy: the data is written after the byte.
// peer-skip: libtsan does not know tee
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
    MUST(tee(near_[0], far_[1], 1, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(third) {
    char c;
    turn_wait(2);
    MUST(read(far_[0], &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(near_) == 0 && pipe(far_) == 0);
    RUN(first, second, third);
    return 0;
}
