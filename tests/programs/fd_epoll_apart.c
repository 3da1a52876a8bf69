// SPDX-License-Identifier: Apache-2.0
// What an epoll tells of says nothing of what others watch, of what can only be written, nor of what was written before somebody asked for events.
// Racy: the data is used after being told such things. The twin is told of what was written: by an epoll within an epoll, or by poll() of an epoll.
// peer-skip: libtsan does not know what epoll told of
#include "tests/programs/invisible.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum way { OTHER_EPOLL, OTHER_DATA, WRITABLE, ASKED_LATER, NESTED, POLLED, WAYS };

static int ep[WAYS], inner[WAYS], fd[WAYS], other[WAYS], pair[2];
static char data[2];
int x[WAYS];

static int make(void) {
    int r = epoll_create1(0);
    MUST(r >= 0);
    return r;
}

static void watch(int epoll, int what, unsigned events, void *pointer) {
    struct epoll_event e = {.events = events, .data.ptr = pointer};
    MUST(epoll_ctl(epoll, EPOLL_CTL_ADD, what, &e) == 0);
}

static void *wait_at(int epoll) {
    struct epoll_event e;
    MUST(epoll_wait(epoll, &e, 1, -1) == 1);
    return e.data.ptr;
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 * way);
        x[way] = 1; //@race 1 write 4
        if (way == WRITABLE)
            MUST(write(pair[1], data, 1) == 1);
        else
            MUST(eventfd_write(fd[way], 1) == 0);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 * way + 1);
        if (racy) {
            switch (way) {
            case OTHER_EPOLL: MUST(wait_at(inner[way]) == data); break;
            case OTHER_DATA: MUST(wait_at(ep[way]) == &data[1]); break;
            case WRITABLE: MUST(wait_at(ep[way]) == &data[1]); break;
            default: watch(inner[way], fd[way], EPOLLIN, data); // and nothing is told
            }
        } else {
            struct pollfd p = {.fd = ep[way], .events = POLLIN};
            if (way == POLLED)
                MUST(poll(&p, 1, -1) == 1);
            else
                wait_at(way == WRITABLE ? inner[way] : ep[way]);
        }
        USE(x[way]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    for (int way = 0; way < WAYS; way++) {
        ep[way] = make();
        inner[way] = make();
        fd[way] = eventfd(0, 0);
        other[way] = eventfd(1, 0);
        MUST(fd[way] >= 0 && other[way] >= 0);
    }
    for (int way = 0; way < WAYS; way++) {
        if (way == NESTED && !racy)
            watch(ep[way], inner[way], EPOLLIN, data);
        if (way == WRITABLE) {
            watch(ep[way], pair[0], EPOLLOUT, &data[1]);
            watch(inner[way], pair[0], EPOLLIN, &data[0]);
        } else if (way == OTHER_EPOLL) {
            watch(ep[way], fd[way], EPOLLIN, &data[0]);
            if (racy)
                watch(inner[way], other[way], EPOLLIN, data);
        } else if (way == OTHER_DATA) {
            watch(ep[way], racy ? other[way] : fd[way], EPOLLIN, &data[1]);
            if (racy)
                watch(inner[way], fd[way], EPOLLIN, &data[1]);
        } else if (!racy) {
            watch(way == NESTED ? inner[way] : ep[way], fd[way], EPOLLIN, &data[0]);
        }
    }
    RUN(first, second);
    return 0;
}
