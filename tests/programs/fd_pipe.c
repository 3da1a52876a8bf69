// SPDX-License-Identifier: Apache-2.0
// Who reads from a pipe comes after who wrote to it. Racy: the data is written after the byte.
#include "tests/programs/invisible.h"
#include <unistd.h>

static int fd[2];
int x;

THREAD(first) {
    if (racy)
        MUST(write(fd[1], "a", 1) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(write(fd[1], "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(read(fd[0], &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    RUN(first, second);
    return 0;
}
