// SPDX-License-Identifier: Apache-2.0
// A signal that is sent to a thread comes before that thread takes it, and not before another thread takes one of the same number that somebody else has sent to
// it, or to the process. Racy: who writes signals a bystander.
// peer-skip: libtsan knows signals by their number only
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define APART(n) __asm__ volatile("# " #n) /* one line of code for each */
enum { WAYS = 7 };

_Alignas(16) int x[WAYS][4];
static long bystander, bystander_tid, reader, reader_tid, handled;

static int signal_of(int way) { return way == 0 ? SIGUSR1 : SIGRTMIN + way; }

static void handle(int sig) {
    USE(sig);
    hidden_put(&handled, 1);
}

static void send(int way, pthread_t handle, pid_t tid) {
    const union sigval value = {.sival_int = 3};
    int sig = signal_of(way);
    switch (way) {
    case 0:
    case 1:
    case 5: MUST(pthread_kill(handle, sig) == 0); break;
    case 2:
    case 4: MUST(tgkill(getpid(), tid, sig) == 0); break;
    case 3: MUST(pthread_sigqueue(handle, sig, value) == 0); break;
    default: MUST(syscall(SYS_tkill, tid, sig) == 0); break;
    }
}

THREAD(writes) {
    turn_wait(2);
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 + 3 * (unsigned)way);
        switch (way) {
        case 0: x[0][0] = 1; APART(0); break; //@race A1 write 4
        case 1: x[1][0] = 1; APART(1); break; //@race B1 write 4
        case 2: x[2][0] = 1; APART(2); break; //@race C1 write 4
        case 3: x[3][0] = 1; APART(3); break; //@race D1 write 4
        case 4: x[4][0] = 1; APART(4); break; //@race E1 write 4
        case 5: x[5][0] = 1; APART(5); break; //@race F1 write 4
        default: x[6][0] = 1; APART(6); break; //@race G1 write 4
        }
        send(way, (pthread_t)hidden_get(racy ? &bystander : &reader), (pid_t)hidden_get(racy ? &bystander_tid : &reader_tid));
        turn_pass();
    }
    return NULL;
}

THREAD(sends_too) {
    for (int way = 0; way < WAYS; way++) {
        turn_wait(3 + 3 * (unsigned)way);
        if (racy && way == 5)
            MUST(kill(getpid(), signal_of(way)) == 0);
        else if (racy)
            send(way, (pthread_t)hidden_get(&reader), (pid_t)hidden_get(&reader_tid));
        turn_pass();
    }
    return NULL;
}

static void take(int way) {
    const struct timespec long_enough = {100000, 0};
    struct signalfd_siginfo told;
    siginfo_t info;
    sigset_t one;
    int fd, sig = signal_of(way);
    MUST(sigemptyset(&one) == 0 && sigaddset(&one, sig) == 0);
    switch (way) {
    case 0:
        while (!hidden_get(&handled))
            hidden_yield();
        break;
    case 1: MUST(sigwait(&one, &sig) == 0 && sig == signal_of(way)); break;
    case 3: MUST(sigtimedwait(&one, &info, &long_enough) == sig); break;
    case 4:
        fd = signalfd(-1, &one, SFD_CLOEXEC);
        MUST(fd >= 0 && read(fd, &told, sizeof told) == sizeof told && (int)told.ssi_signo == sig && close(fd) == 0);
        break;
    default: MUST(sigwaitinfo(&one, &info) == sig); break;
    }
}

THREAD(reads) {
    sigset_t one;
    MUST(sigemptyset(&one) == 0 && sigaddset(&one, SIGUSR1) == 0 && pthread_sigmask(SIG_UNBLOCK, &one, NULL) == 0);
    hidden_put(&reader, (long)pthread_self());
    hidden_sign(&reader_tid);
    turn_pass();
    for (int way = 0; way < WAYS; way++) {
        turn_wait(4 + 3 * (unsigned)way);
        take(way);
        switch (way) {
        case 0: USE(x[0][0]); APART(0); break; //@race A2 read 4
        case 1: USE(x[1][0]); APART(1); break; //@race B2 read 4
        case 2: USE(x[2][0]); APART(2); break; //@race C2 read 4
        case 3: USE(x[3][0]); APART(3); break; //@race D2 read 4
        case 4: USE(x[4][0]); APART(4); break; //@race E2 read 4
        case 5: USE(x[5][0]); APART(5); break; //@race F2 read 4
        default: USE(x[6][0]); APART(6); break; //@race G2 read 4
        }
        turn_pass();
    }
    return NULL;
}

THREAD(stands_by) {
    hidden_put(&bystander, (long)pthread_self());
    hidden_sign(&bystander_tid);
    turn_pass();
    turn_wait(2 + 3 * WAYS);
    return NULL;
}

int main(void) {
    sigset_t blocked;
    MUST(sigemptyset(&blocked) == 0);
    for (int way = 0; way < WAYS; way++)
        MUST(sigaddset(&blocked, signal_of(way)) == 0);
    MUST(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
    MUST(signal(SIGUSR1, handle) != SIG_ERR);
    RUN(reads, stands_by, writes, sends_too);
    return 0;
}
