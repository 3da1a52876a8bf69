// SPDX-License-Identifier: Apache-2.0
// A pipe orders by its own bytes only. Racy: the reader's byte came through another pipe, with a descriptor of a number
// that was the first pipe's before.
#include "tests/programs/invisible.h"
#include <unistd.h>

static int first_pipe[2], other_pipe[2];
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    MUST(write(first_pipe[1], "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char c;
    turn_wait(1);
    if (racy) {
        int fd = first_pipe[0];
        close(fd);
        MUST(pipe(other_pipe) == 0 && other_pipe[0] == fd);
        MUST(write(other_pipe[1], "b", 1) == 1);
    }
    MUST(read(first_pipe[0], &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(first_pipe) == 0);
    RUN(first, second);
    return 0;
}
