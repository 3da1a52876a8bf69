// SPDX-License-Identifier: Apache-2.0
// What sends a signal to a thread by a descriptor of it (Linux 6.9; else by its handle) comes before the handler. Racy: what it writes after it has sent it does not.
// peer-skip: libtsan orders nothing by it
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#define OF_THREAD 0200 /* PIDFD_THREAD */

static unsigned taken;
static long number;
_Alignas(8) int shared;

static void handle(int sig) {
    (void)sig;
    shared = 2; //@race 1 write 4
    hidden_add_one(&taken);
}

THREAD(takes) {
    hidden_put(&number, syscall(SYS_gettid));
    turn_pass();
    while (!hidden_count(&taken))
        hidden_yield();
    turn_pass();
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(signal(SIGUSR1, handle) == SIG_DFL);
    MUST(pthread_create(&t, NULL, takes, NULL) == 0);
    turn_wait(1);
    int fd = (int)syscall(SYS_pidfd_open, hidden_get(&number), OF_THREAD);
    if (!racy)
        shared = 1;
    MUST(fd >= 0 ? syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0) == 0 : pthread_kill(t, SIGUSR1) == 0);
    turn_wait(2);
    if (racy)
        shared = 1; //@race 2 write 4
    MUST(pthread_join(t, NULL) == 0);
    return 0;
}
