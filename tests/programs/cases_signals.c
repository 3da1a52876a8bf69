// SPDX-License-Identifier: Apache-2.0
// Each way to install a handler orders what was done before before the handler's run, and an alarm before the signal. Racy: the data is
// written after the handler was installed.
// peer-skip: libtsan does not know all of these
// flags: -Wno-deprecated-declarations
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

typedef void (*handler_function)(int);
handler_function bsd_signal(int sig, handler_function handler);
handler_function __sysv_signal(int sig, handler_function handler);

_Alignas(8) int a, b[2], c[2], d[2], e[2], f[2];

static void on_a(int sig) { MUST(sig == SIGUSR1); USE(a); } //@race A2 read 4
static void on_b(int sig) { MUST(sig == SIGUSR2); USE(b[0]); } //@race B2 read 4
static void on_c(int sig) { MUST(sig == SIGURG); USE(c[0]); } //@race C2 read 4
static void on_d(int sig) { MUST(sig == SIGWINCH); USE(d[0]); } //@race D2 read 4
static void on_e(int sig) { MUST(sig == SIGCONT); USE(e[0]); } //@race E2 read 4
static void on_f(int sig) { MUST(sig == SIGALRM); USE(f[0]); } //@race F2 read 4

// The write, and what installs the handler, in this order or the other.
#define INSTALLS(call, write)                                                                                          \
    do {                                                                                                               \
        if (racy)                                                                                                      \
            MUST(call);                                                                                                \
        write;                                                                                                         \
        if (!racy)                                                                                                     \
            MUST(call);                                                                                                \
    } while (0)

THREAD(first) {
    INSTALLS(bsd_signal(SIGUSR1, on_a) == SIG_DFL, a = 1); //@race A1 write 4
    INSTALLS(ssignal(SIGUSR2, on_b) == SIG_DFL, b[0] = 1); //@race B1 write 4
    INSTALLS(sysv_signal(SIGURG, on_c) == SIG_DFL, c[0] = 1); //@race C1 write 4
    INSTALLS(__sysv_signal(SIGWINCH, on_d) == SIG_DFL, d[0] = 1); //@race D1 write 4
    INSTALLS(sigset(SIGCONT, on_e) == SIG_DFL, e[0] = 1); //@race E1 write 4
    INSTALLS(signal(SIGALRM, on_f) == SIG_DFL, f[0] = 1); //@race F1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    sigset_t only;
    turn_wait(1);
    MUST(siginterrupt(SIGUSR1, 1) == 0);
    MUST(raise(SIGUSR1) == 0 && raise(SIGUSR2) == 0 && raise(SIGURG) == 0 && raise(SIGWINCH) == 0 && raise(SIGCONT) == 0);
    // The alarm's signal comes to a thread that waits for it.
    sigfillset(&only);
    sigdelset(&only, SIGALRM);
    alarm(1);
    MUST(sigsuspend(&only) == -1);
    return NULL;
}

int main(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    MUST(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
    RUN(first, second);
    return 0;
}
