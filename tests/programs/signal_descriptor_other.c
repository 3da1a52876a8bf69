// SPDX-License-Identifier: Apache-2.0
// A signal that is sent to another process by a descriptor of it orders nothing here. Racy: a thread that has seen nothing of who sent it then sends one of that number to main, by its
// handle. Twin: who wrote the variable sends it.
// peer-skip: libtsan orders nothing by signals
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif

static pthread_t first;
static unsigned taken;
static pid_t child;
_Alignas(8) int shared;

static void handle(int sig) {
    (void)sig;
    shared = 2; //@race 2 write 4
    hidden_add_one(&taken);
}

THREAD(writes) {
    int fd = (int)syscall(SYS_pidfd_open, child, 0);
    shared = 1; //@race 1 write 4
    MUST(fd >= 0 && syscall(SYS_pidfd_send_signal, fd, SIGUSR1, NULL, 0) == 0);
    if (!racy)
        MUST(pthread_kill(first, SIGUSR1) == 0);
    turn_pass();
    return NULL;
}

THREAD(sends) {
    turn_wait(1);
    if (racy)
        MUST(pthread_kill(first, SIGUSR1) == 0);
    return NULL;
}

int main(void) {
    pthread_t t[2];
    first = pthread_self();
    child = fork();
    if (child == 0)
        for (;;)
            pause();
    MUST(child > 0 && signal(SIGUSR1, handle) == SIG_DFL);
    MUST(pthread_create(&t[0], NULL, writes, NULL) == 0 && pthread_create(&t[1], NULL, sends, NULL) == 0);
    while (!hidden_count(&taken))
        hidden_yield();
    MUST(pthread_join(t[0], NULL) == 0 && pthread_join(t[1], NULL) == 0);
    MUST(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    return 0;
}
