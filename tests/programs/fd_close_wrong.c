// SPDX-License-Identifier: Apache-2.0
// dup3 and close_range with wrong flags, and close_range of no numbers, are errors, and close nothing: what is sent over the descriptor orders as before. Racy: the
// data is written after it was sent.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[3][2];
_Alignas(8) int x[3][2];

#define FAILS(call) MUST((errno = 0, (call)) == -1 && (errno == EINVAL || errno == ENOSYS))

THREAD(first) {
    for (int i = 0; i < 3; i++) {
        if (racy)
            MUST(write(fd[i][1], "x", 1) == 1);
        x[i][0] = 1; //@race 1 write 4
        if (!racy)
            MUST(write(fd[i][1], "x", 1) == 1);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    FAILS(dup3(0, fd[0][0], O_NONBLOCK));
    FAILS(close_range((unsigned)fd[1][0], (unsigned)fd[1][1], 1 << 10));
    FAILS(close_range((unsigned)fd[2][1], (unsigned)fd[2][0], 0));
    for (int i = 0; i < 3; i++) {
        char byte;
        MUST(read(fd[i][0], &byte, 1) == 1);
        USE(x[i][0]); //@race 2 read 4
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, fd[i]) == 0 && fd[i][0] < fd[i][1]);
    RUN(first, second);
    return 0;
}
