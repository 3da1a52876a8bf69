// SPDX-License-Identifier: Apache-2.0
// epoll_wait tells of a descriptor by a pointer of the program's: a write to it came before. Racy: the data is written
// after that.
// peer-skip: libtsan does not know what epoll told of
#include "tests/programs/invisible.h"
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int fd, ep;
int x;

THREAD(first) {
    if (racy)
        MUST(eventfd_write(fd, 1) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(eventfd_write(fd, 1) == 0);
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
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data = {.ptr = &fd}};
    fd = eventfd(0, 0);
    ep = epoll_create1(0);
    MUST(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e) == 0);
    RUN(first, second);
    return 0;
}
