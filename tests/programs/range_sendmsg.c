// SPDX-License-Identifier: Apache-2.0
// sendmsg reads the buffers of its message. Racy: one is written by another thread; in the twin the bytes behind it.
#include "tests/programs/invisible.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int fd[2];
_Alignas(8) char b[16];

THREAD(first) {
    struct iovec v = {b, 8};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1};
    MUST(sendmsg(fd[0], &m, 0) == 8); //@race 1 read *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        b[7] = 1; //@race 2 write 1
    else
        b[8] = 1;
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, fd) == 0);
    RUN(first, second);
    return 0;
}
