// SPDX-License-Identifier: Apache-2.0
// A child has descriptors of its own: it may close all that other threads of its parent use or have closed, also where it runs in the
// parent's memory. Racy: the parent closes one.
// peer-skip: libtsan hangs in clone
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd[2];
static _Alignas(16) char stack[65536];

static void close_all(void) {
    char byte;
    MUST(read(fd[0], &byte, 1) == 1 && read(fd[1], &byte, 1) < 0);
    for (int i = 3; i < 100; i++)
        (void)close(i);
}

static int child(void *arg) {
    (void)arg;
    close_all();
    _exit(0);
}

THREAD(uses) {
    char byte;
    MUST(read(fd[0], &byte, 1) == 1); //@race 1 read 8
    MUST(close(fd[1]) == 0);
    turn_pass();
    return NULL;
}

THREAD(forks) {
    turn_wait(1);
    pid_t p = fork();
    if (p == 0) {
        close_all();
        _exit(0);
    }
    MUST(p > 0 && waitpid(p, NULL, 0) == p);
    p = clone(child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
    MUST(p > 0 && waitpid(p, NULL, 0) == p);
    if (racy)
        MUST(close(fd[0]) == 0); //@race 2 write 8
    return NULL;
}

int main(void) {
    MUST((fd[0] = open("/dev/zero", O_RDONLY)) >= 0 && (fd[1] = dup(fd[0])) >= 0);
    RUN(uses, forks);
    if (!racy)
        MUST(close(fd[0]) == 0);
    return 0;
}
