// SPDX-License-Identifier: Apache-2.0
// Who is told of an event comes after who asked for it. Racy: the data is written after that.
#include "tests/programs/invisible.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int fd, ep;
static struct epoll_event wanted = {.events = EPOLLIN};
int x;

THREAD(first) {
    if (racy)
        MUST(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &wanted) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &wanted) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    struct epoll_event e;
    MUST(epoll_wait(ep, &e, 1, -1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    fd = eventfd(1, 0);
    ep = epoll_create1(0);
    wanted.data.fd = fd;
    RUN(first, second);
    return 0;
}
