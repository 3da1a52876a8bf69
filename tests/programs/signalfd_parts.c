// SPDX-License-Identifier: Apache-2.0
// What sends a signal comes before who reads of it in several parts from a descriptor, or waits for it by a system call of its own. Racy: what it writes after it has sent it does not.
// peer-skip: libtsan orders nothing by it
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

_Alignas(8) int by_parts;
_Alignas(8) int by_call;
static sigset_t one;

THREAD(takes) {
    char first[3], second[sizeof(struct signalfd_siginfo)];
    struct iovec part[] = {{first, sizeof first}, {NULL, 0}, {second, sizeof second}};
    int fd = signalfd(-1, &one, 0);
    MUST(fd >= 0);
    MUST(readv(fd, part, 3) == sizeof(struct signalfd_siginfo));
    by_parts = 2; //@race A1 write 4
    turn_pass();
    MUST(syscall(SYS_rt_sigtimedwait, &one, NULL, NULL, 8) == SIGUSR1);
    by_call = 2; //@race B1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    MUST(pthread_sigmask(SIG_BLOCK, &one, NULL) == 0);
    MUST(pthread_create(&t, NULL, takes, NULL) == 0);
    if (!racy)
        by_parts = 1;
    MUST(pthread_kill(t, SIGUSR1) == 0);
    turn_wait(1);
    if (racy)
        by_parts = 1; //@race A2 write 4
    else
        by_call = 1;
    MUST(pthread_kill(t, SIGUSR1) == 0);
    turn_wait(2);
    if (racy)
        by_call = 1; //@race B2 write 4
    MUST(pthread_join(t, NULL) == 0);
    return 0;
}
