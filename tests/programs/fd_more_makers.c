// SPDX-License-Identifier: Apache-2.0
// Descriptors made, copied and waited for by the newer forms order as those of the older ones do. Racy: another channel is used.
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <unistd.h>

_Alignas(8) int a, b, c, d, e;
static int pipes[5][2][2]; // what for, used wrongly, end

THREAD(first) {
    for (int i = 0; i < 5; i++)
        MUST(write(pipes[i][1][1], "x", 1) == 1); // there is something to read in each
    a = 1; //@race A1 write 4
    MUST(write(pipes[0][0][1], "x", 1) == 1);
    b = 1; //@race B1 write 4
    MUST(write(pipes[1][0][1], "x", 1) == 1);
    c = 1; //@race C1 write 4
    MUST(write(pipes[2][0][1], "x", 1) == 1);
    d = 1; //@race D1 write 4
    MUST(write(pipes[3][0][1], "x", 1) == 1);
    e = 1; //@race E1 write 4
    MUST(vmsplice(pipes[4][0][1], &(struct iovec){"x", 1}, 1, 0) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char got;
    struct epoll_event event = {.events = EPOLLIN};
    turn_wait(1);
    struct pollfd one = {.fd = pipes[0][racy][0], .events = POLLIN};
    MUST(ppoll(&one, 1, NULL, NULL) == 1);
    USE(a); //@race A2 read 4
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes[1][racy][0], &set);
    MUST(pselect(pipes[1][racy][0] + 1, &set, NULL, NULL, NULL, NULL) == 1);
    USE(b); //@race B2 read 4
    int poller = epoll_create(1);
    MUST(poller >= 0 && epoll_ctl(poller, EPOLL_CTL_ADD, pipes[2][racy][0], &event) == 0);
    MUST(epoll_pwait(poller, &event, 1, -1, NULL) == 1);
    USE(c); //@race C2 read 4
    int copy = dup3(pipes[3][racy][0], 100, O_CLOEXEC);
    MUST(copy == 100 && read(copy, &got, 1) == 1);
    USE(d); //@race D2 read 4
    MUST(read(pipes[4][racy][0], &got, 1) == 1);
    USE(e); //@race E2 read 4
    return NULL;
}

int main(void) {
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 2; k++)
            MUST(pipe2(pipes[i][k], O_CLOEXEC) == 0);
    RUN(first, second);
    return 0;
}
