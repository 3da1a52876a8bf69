// SPDX-License-Identifier: Apache-2.0
// Sockets write as much of an address as there is room for, though they say how long it is; of a message's head what they tell of it; and of bytes that TCP throws
// away nothing. Racy: another thread touches what is written.
// peer-skip: libtsan takes all for written
#include "tests/programs/cases.h"
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

static struct {
    char name[2], other[30];
} at[6];
static char bytes[8][8];
static struct iovec part[3] = {{bytes[0], 1}, {bytes[1], 1}, {bytes[2], 8}};
static struct msghdr head = {.msg_name = at[4].name, .msg_namelen = 2, .msg_iov = &part[0], .msg_iovlen = 1};
static struct mmsghdr heads[1] = {{.msg_hdr = {.msg_name = at[5].name, .msg_namelen = 2, .msg_iov = &part[1], .msg_iovlen = 1}}};
static char name[32];
static struct msghdr told = {.msg_name = name, .msg_namelen = sizeof name, .msg_iov = &part[0], .msg_iovlen = 1};
static struct mmsghdr waited[1] = {{.msg_hdr = {.msg_iov = &part[1], .msg_iovlen = 1}}};
static struct timespec wait_most[2] = {{1000, 0}};
static struct msghdr thrown = {.msg_iov = &part[2], .msg_iovlen = 1};
static socklen_t room[4] = {2, 2, 2, 2};

static int bound(int type, struct sockaddr_in *name) {
    int fd = socket(AF_INET, type, 0);
    socklen_t n = sizeof *name;
    *name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    MUST(fd >= 0 && bind(fd, (void *)name, sizeof *name) == 0 && getsockname(fd, (void *)name, &n) == 0);
    return fd;
}

static void cases(enum runs who) {
    struct sockaddr_in receiver, server;
    int to = -1, from = -1, listens = -1, client = -1, served = -1;
    DOES(to = bound(SOCK_DGRAM, &receiver); from = socket(AF_INET, SOCK_DGRAM, 0));
    DOES(listens = bound(SOCK_STREAM, &server); client = socket(AF_INET, SOCK_STREAM, 0));
    DOES(MUST(listen(listens, 1) == 0 && connect(client, (void *)&server, sizeof server) == 0));
    DOES(for (int i = 0; i < 5; i++) MUST(sendto(from, "a", 1, 0, (void *)&receiver, sizeof receiver) == 1));

    WRITES(getsockname(to, (void *)at[0].name, &room[0]) == 0 && room[0] == 16, &at[0].name[1], &at[0].other[0]); //@case writes
    WRITES(recvfrom(to, bytes[3], 1, 0, (void *)at[1].name, &room[1]) == 1 && room[1] == 16, &at[1].name[1], &at[1].other[0]); //@case writes
    WRITES((served = accept(listens, (void *)at[2].name, &room[2])) >= 0 && room[2] == 16, &at[2].name[1], &at[2].other[0]); //@case writes
    WRITES(getpeername(served, (void *)at[3].name, &room[3]) == 0 && room[3] == 16, &at[3].name[1], &at[3].other[0]); //@case writes
    WRITES(recvmsg(to, &head, 0) == 1 && head.msg_namelen == 16, &at[4].name[1], &at[4].other[0]); //@case writes
    WRITES(recvmmsg(to, heads, 1, 0, NULL) == 1, &at[5].name[1], &at[5].other[0]); //@case writes
    WRITES(recvmsg(to, &told, 0) == 1, &told.msg_namelen, &told.msg_iov); //@case writes
    WRITES(recvmmsg(to, waited, 1, 0, &wait_most[0]) == 1, &wait_most[0], &wait_most[1]); //@case writes
    DOES(MUST(send(client, "0123456789abcdef0123456789abcdef", 32, 0) == 32));
    WRITES(recv(served, bytes[4], 8, 0) == 8, &bytes[4][7], NULL); //@case writes
    WRITES(recv(served, bytes[5], 8, MSG_TRUNC) == 8, NULL, &bytes[5][0]);
    WRITES(recvmsg(served, &thrown, MSG_TRUNC) == 8, &thrown.msg_flags, &bytes[2][0]); //@case writes
}

CASES_MAIN
