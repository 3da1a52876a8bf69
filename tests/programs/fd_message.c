// SPDX-License-Identifier: Apache-2.0
// sendmsg and recvmsg on a socket pair order as send and recv do. Racy: the data is written after the message.
#include "tests/programs/invisible.h"
#include <sys/socket.h>
#include <sys/uio.h>

static int fd[2];
static char a, b;
static struct iovec out = {&a, 1}, in = {&b, 1};
static struct msghdr there = {.msg_iov = &out, .msg_iovlen = 1}, here = {.msg_iov = &in, .msg_iovlen = 1};
int x;

THREAD(first) {
    if (racy)
        MUST(sendmsg(fd[0], &there, 0) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(sendmsg(fd[0], &there, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(recvmsg(fd[1], &here, 0) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, fd) == 0);
    RUN(first, second);
    return 0;
}
