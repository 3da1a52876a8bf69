// SPDX-License-Identifier: Apache-2.0
// A timer of a descriptor runs out after it was set. Racy: the data is written after that.
// peer-skip: libtsan does not order by timerfd_settime
#include "tests/programs/invisible.h"
#include <sys/timerfd.h>
#include <unistd.h>

static int fd;
static const struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
int x;

THREAD(first) {
    if (racy)
        MUST(timerfd_settime(fd, 0, &soon, NULL) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(timerfd_settime(fd, 0, &soon, NULL) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    unsigned long times;
    MUST(read(fd, &times, sizeof times) == sizeof times);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    fd = timerfd_create(CLOCK_MONOTONIC, 0);
    MUST(fd >= 0);
    RUN(first, second);
    return 0;
}
