// SPDX-License-Identifier: Apache-2.0
// A socket may be watched before it is connected, bound or listens: what is written to it then comes before who is told of it. Racy: the data is written after that.
// peer-skip: libtsan does not know what epoll told of
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int listener, client, ep[2];
static long server; // handed over unseen
static struct sockaddr_un name = {.sun_family = AF_UNIX};
int x, y;

static void watch(int epoll, int fd, void *pointer) {
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = pointer};
    MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &e) == 0);
}

static void call(void) {
    MUST(connect(client, (struct sockaddr *)&name, sizeof name) == 0);
}

static void answer(void) {
    MUST(write((int)hidden_get(&server), "y", 1) == 1);
}

THREAD(first) {
    if (racy)
        call();
    x = 1; //@race X1 write 4
    if (!racy)
        call();
    turn_pass();
    turn_wait(2);
    if (racy)
        answer();
    y = 1; //@race Y1 write 4
    if (!racy)
        answer();
    turn_pass();
    return NULL;
}

THREAD(second) {
    struct epoll_event e;
    turn_wait(1);
    MUST(epoll_wait(ep[0], &e, 1, -1) == 1 && e.data.ptr == &x);
    USE(x); //@race X2 read 4
    hidden_put(&server, accept(listener, NULL, NULL));
    MUST(hidden_get(&server) >= 0);
    turn_pass();
    turn_wait(3);
    MUST(epoll_wait(ep[1], &e, 1, -1) == 1 && e.data.ptr == &y);
    USE(y); //@race Y2 read 4
    return NULL;
}

int main(void) {
    snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "fd_epoll_connect.%d", (int)getpid());
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    ep[0] = epoll_create1(0);
    ep[1] = epoll_create1(0);
    MUST(listener >= 0 && client >= 0 && ep[0] >= 0 && ep[1] >= 0);
    watch(ep[0], listener, &x);
    watch(ep[1], client, &y); // which tells of a hang-up until it is connected
    MUST(bind(listener, (struct sockaddr *)&name, sizeof name) == 0 && listen(listener, 1) == 0);
    RUN(first, second);
    return 0;
}
