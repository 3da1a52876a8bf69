// SPDX-License-Identifier: Apache-2.0
// A descriptor that a process sends to itself, in a message, stands for what it did under its first number: bytes through both order. Racy: the data is written after
// that.
// peer-skip: libtsan takes it for another one
#include "tests/programs/invisible.h"
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WAYS = 2 };

static int way_for[2], pair[2], event, passed[WAYS];
_Alignas(8) int x[WAYS][2];

union control {
    char room[CMSG_SPACE(sizeof(int))];
    struct cmsghdr first;
};

static int pass_on(int fd) {
    char byte = 'x';
    struct iovec part = {&byte, 1};
    union control out = {{0}}, in;
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = out.room, .msg_controllen = sizeof out.room};
    out.first = (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof fd)};
    memcpy(CMSG_DATA(&out.first), &fd, sizeof fd);
    MUST(sendmsg(way_for[0], &m, 0) == 1);
    m.msg_control = in.room;
    MUST(recvmsg(way_for[1], &m, 0) == 1);
    memcpy(&fd, CMSG_DATA(&in.first), sizeof fd);
    return fd;
}

static void give(int way) {
    if (way == 0)
        MUST(write(pair[1], "x", 1) == 1);
    else
        MUST(eventfd_write(event, 1) == 0);
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        if (racy)
            give(way);
        x[way][0] = 1; //@race 1 write 4
        if (!racy)
            give(way);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int way = 0; way < WAYS; way++) {
        char bytes[8];
        MUST(read(passed[way], bytes, sizeof bytes) > 0);
        USE(x[way][0]); //@race 2 read 4
    }
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, way_for) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    MUST((event = eventfd(0, 0)) >= 0);
    passed[0] = pass_on(pair[0]);
    passed[1] = pass_on(event);
    RUN(first, second);
    return 0;
}
