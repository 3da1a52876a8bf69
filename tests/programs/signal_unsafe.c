// SPDX-License-Identifier: Apache-2.0
// A handler that allocates and frees. Twin: it does neither, and the program may again after a jump out of a handler; or it does both, but is called by the
// process's only thread, which sends itself the signal.
// reports: 2
#include "tests/programs/invisible.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static sigjmp_buf out;

static int alone = 1;

static void handler(int sig) {
    (void)sig;
    if (alone) {
        free(malloc(UNKNOWN(1)));
    } else if (racy) {
        void *p = malloc(1); //@mistake signal-unsafe call inside of a signal
        USE(p);
        free(p); //@mistake signal-unsafe call inside of a signal
    }
}

static void jumps(int sig) {
    (void)sig;
    siglongjmp(out, 1);
}

THREAD(nothing) { return NULL; }

int main(void) {
    static char room[65536];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    sigaltstack(&stack, NULL);
    struct sigaction on_stack = {.sa_handler = jumps, .sa_flags = SA_ONSTACK};
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    kill(getpid(), SIGUSR1);
    pthread_kill(pthread_self(), SIGUSR1);
    alone = 0;
    pthread_t other;
    MUST(pthread_create(&other, NULL, nothing, NULL) == 0);
    pthread_join(other, NULL);
    signal(SIGUSR2, jumps);
    sigaction(SIGHUP, &on_stack, NULL);
    raise(SIGUSR1);
    if (!sigsetjmp(out, 1))
        raise(SIGUSR2);
    free(malloc(UNKNOWN(1)));
    if (!sigsetjmp(out, 1))
        raise(SIGHUP);
    free(malloc(UNKNOWN(1)));
    return 0;
}
