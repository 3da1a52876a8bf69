// SPDX-License-Identifier: Apache-2.0
// A signal that is read from a descriptor comes after who sent it. Racy: the data is written after that.
// peer-skip: libtsan does not order by signalfd
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static int fd;
int x;

THREAD(first) {
    if (racy)
        MUST(kill(getpid(), SIGUSR1) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(kill(getpid(), SIGUSR1) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    struct signalfd_siginfo info;
    MUST(read(fd, &info, sizeof info) == sizeof info);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    fd = signalfd(-1, &set, 0);
    MUST(fd >= 0);
    RUN(first, second);
    return 0;
}
