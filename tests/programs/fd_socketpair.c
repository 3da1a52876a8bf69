// SPDX-License-Identifier: Apache-2.0
// Bytes through a socket pair order the sender before the receiver. Racy: the data is written after the byte.
#include "tests/programs/invisible.h"
#include <sys/socket.h>
#include <unistd.h>

static int fd[2];
int x;

THREAD(first) {
    if (racy)
        MUST(send(fd[0], "a", 1, 0) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(send(fd[0], "a", 1, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(recv(fd[1], &c, 1, 0) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
    RUN(first, second);
    return 0;
}
