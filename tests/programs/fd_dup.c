// SPDX-License-Identifier: Apache-2.0
// A copy of a descriptor stands for the same pipe. Racy: the data is written after the byte.
// peer-skip: libtsan does not know F_DUPFD
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

static int fd[2], out, in;
int x;

THREAD(first) {
    if (racy)
        MUST(write(out, "a", 1) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(write(out, "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(read(in, &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    out = dup2(dup(fd[1]), 50);
    in = fcntl(fd[0], F_DUPFD, 60);
    close(fd[0]);
    MUST(in == 60);
    RUN(first, second);
    return 0;
}
