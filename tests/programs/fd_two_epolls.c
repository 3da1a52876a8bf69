// SPDX-License-Identifier: Apache-2.0
// Two epolls, among others, watch one descriptor, one by its number and the other by a pointer: each tells of what was written before. Racy: the data is written after that.
// peer-skip: libtsan does not know what epoll told of
#include "tests/programs/invisible.h"
#include <sys/epoll.h>
#include <unistd.h>

static int fd[2][2], ep[2][2];
int x[4];

THREAD(first) {
    char c = 0;
    for (int i = 0; i < 4; i++) {
        turn_wait(2 * i);
        if (racy)
            MUST(write(fd[i / 2][1], &c, 1) == 1);
        x[i] = 1; //@race 1 write 4
        if (!racy)
            MUST(write(fd[i / 2][1], &c, 1) == 1);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    for (int i = 0; i < 4; i++) {
        struct epoll_event e;
        turn_wait(2 * i + 1);
        MUST(epoll_wait(ep[i / 2][i % 2], &e, 1, -1) == 1);
        USE(x[i]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

static void watch(int at, int what, epoll_data_t data) {
    struct epoll_event e = {.events = EPOLLIN | EPOLLET, .data = data};
    MUST(epoll_ctl(at, EPOLL_CTL_ADD, what, &e) == 0);
}

int main(void) {
    for (int k = 0; k < 2; k++) {
        MUST(pipe(fd[k]) == 0 && (ep[k][0] = epoll_create1(0)) >= 0 && (ep[k][1] = epoll_create1(0)) >= 0);
        for (int i = 0; i < 2; i++) // in either order
            watch(ep[k][i], fd[k][0], i == k ? (epoll_data_t){.fd = fd[k][0]} : (epoll_data_t){.ptr = &x});
    }
    for (int more = 0; more < 20; more++) // which are never asked
        watch(epoll_create1(0), fd[0][0], (epoll_data_t){.ptr = &x});
    RUN(first, second);
    return 0;
}
