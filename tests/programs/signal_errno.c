// SPDX-License-Identifier: Apache-2.0
// A handler that leaves errno changed, whatever it interrupts: told once. Twin: it restores it.
// report: ^  Signal 10 handler invoked at:$
// reports: 1
#include "tests/programs/invisible.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static void handler(int sig) { //@mistake signal handler spoils errno
    (void)sig;
    int saved = errno;
    close(-1);
    if (!racy)
        errno = saved;
}

int main(void) {
    signal(SIGUSR1, handler);
    errno = 0;
    raise(SIGUSR1);
    MUST(errno == (racy ? EBADF : 0)); // we look, and leave it as it is
    errno = 0;
    raise(SIGUSR1);
    MUST(errno == (racy ? EBADF : 0));
    return 0;
}
