// SPDX-License-Identifier: Apache-2.0
// A message whose name is said to be longer than any is sent, with what fits, and orders; on a connected socket a name of no bytes is none, wherever it lies. Racy: the receiver
// does not wait for the message.
#include "tests/programs/invisible.h"
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

static int from, to, pair[2];
static struct sockaddr_in name[32];
_Alignas(8) int shared, other;

THREAD(sends) {
    char byte = 1;
    struct iovec part = {&byte, 1};
    struct msghdr m = {.msg_name = name, .msg_namelen = sizeof name, .msg_iov = &part, .msg_iovlen = 1};
    shared = 1; //@race 1 write 4
    MUST(sendmsg(from, &m, 0) == 1);
    other = 1;
    struct mmsghdr many[2] = {{.msg_hdr = m}, {.msg_hdr = {.msg_name = (void *)8, .msg_iov = &part, .msg_iovlen = 1}}};
    MUST(sendmmsg(from, many, 1, 0) == 1);
    MUST(sendmmsg(pair[0], many + 1, 1, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(receives) {
    char byte;
    if (racy) {
        turn_wait(1);
        shared = 2; //@race 2 write 4
    }
    MUST(recv(to, &byte, 1, 0) == 1);
    if (!racy)
        shared = 2;
    MUST(recv(to, &byte, 1, 0) == 1 && recv(pair[1], &byte, 1, 0) == 1);
    other = 2;
    return NULL;
}

int main(void) {
    socklen_t n = sizeof *name;
    from = socket(AF_INET, SOCK_DGRAM, 0);
    to = socket(AF_INET, SOCK_DGRAM, 0);
    name->sin_family = AF_INET;
    name->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST(bind(to, (struct sockaddr *)name, sizeof *name) == 0 && getsockname(to, (struct sockaddr *)name, &n) == 0);
    MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    RUN(sends, receives);
    return 0;
}
