// SPDX-License-Identifier: Apache-2.0
// A signal that is sent by the system call itself comes before who takes it. Racy: the data is written after that.
// peer-skip: libtsan does not look at system calls
// exercises: pidfd_send_signal
#include "tests/programs/invisible.h"
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum way { KILL, TKILL, TGKILL, SIGQUEUEINFO, TGSIGQUEUEINFO, PIDFD, PIDFD_FUNCTION, WAYS };

int pidfd_send_signal(int, int, siginfo_t *, unsigned) __attribute__((weak)); // glibc 2.36
static long receiver;
static int process;
int x[WAYS];

static int number(int way) { return SIGRTMIN + 1 + way; }

static void send_by(enum way way) {
    int sig = number(way), to = (int)hidden_get(&receiver);
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_code = SI_QUEUE;
    info.si_signo = sig;
    info.si_pid = getpid();
    switch (way) {
    case KILL: MUST(syscall(SYS_kill, getpid(), sig) == 0); break;
    case TKILL: MUST(syscall(SYS_tkill, to, sig) == 0); break;
    case TGKILL: MUST(syscall(SYS_tgkill, getpid(), to, sig) == 0); break;
    case SIGQUEUEINFO: MUST(syscall(SYS_rt_sigqueueinfo, getpid(), sig, &info) == 0); break;
    case TGSIGQUEUEINFO: MUST(syscall(SYS_rt_tgsigqueueinfo, getpid(), to, sig, &info) == 0); break;
    case PIDFD_FUNCTION:
        if (pidfd_send_signal) {
            MUST(pidfd_send_signal(process, sig, NULL, 0) == 0);
            break;
        } // fall through
    default: MUST(syscall(SYS_pidfd_send_signal, process, sig, NULL, 0) == 0);
    }
}

THREAD(first) {
    turn_wait(1);
    for (int way = 0; way < WAYS; way++) {
        turn_wait(1 + 2 * way);
        if (racy)
            send_by(way);
        x[way] = 1; //@race 1 write 4
        if (!racy)
            send_by(way);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    hidden_sign(&receiver);
    turn_pass();
    for (int way = 0; way < WAYS; way++) {
        sigset_t one;
        int sig = 0;
        turn_wait(2 + 2 * way);
        sigemptyset(&one);
        sigaddset(&one, number(way));
        MUST(sigwait(&one, &sig) == 0 && sig == number(way));
        USE(x[way]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

int main(void) {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int way = 0; way < WAYS; way++)
        sigaddset(&blocked, number(way));
    MUST(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
    MUST((process = (int)syscall(SYS_pidfd_open, getpid(), 0)) >= 0);
    RUN(first, second);
    return 0;
}
