// SPDX-License-Identifier: Apache-2.0
// The end of the file in a pipe comes after the close of its last writer. Racy: the data is written after the close.
// peer-skip: libtsan does not order by the end of a file
#include "tests/programs/invisible.h"
#include <unistd.h>

static int fd[2];
int x;

THREAD(first) {
    if (racy)
        MUST(close(fd[1]) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(close(fd[1]) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(read(fd[0], &c, 1) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    RUN(first, second);
    return 0;
}
