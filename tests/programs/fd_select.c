// SPDX-License-Identifier: Apache-2.0
// select says that a pipe can be read because of a write that came before. Racy: the data is written after the byte.
// peer-skip: libtsan does not know select
#include "tests/programs/invisible.h"
#include <sys/select.h>
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
    fd_set in;
    FD_ZERO(&in);
    FD_SET(fd[0], &in);
    MUST(select(fd[0] + 1, &in, NULL, NULL, NULL) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    RUN(first, second);
    return 0;
}
