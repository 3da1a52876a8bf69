// SPDX-License-Identifier: Apache-2.0
// Whatever sends a signal comes before its handler, or the return of who waits for it. Racy: the sender goes on to write.
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

_Alignas(8) int a, b, c, d, e, f;
static long receiver, receiver_tid;

static void handle(int sig) {
    if (sig == SIGUSR1) {
        USE(a);
        turn_pass();
    } else {
        USE(b);
        turn_pass();
    }
}

THREAD(first) {
    const union sigval value = {.sival_int = 3};
    turn_wait(1);
    a = 1; // the handler comes after it
    MUST(pthread_kill((pthread_t)hidden_get(&receiver), SIGUSR1) == 0);
    turn_wait(2);
    b = 1;
    MUST(tgkill(getpid(), (pid_t)hidden_get(&receiver_tid), SIGUSR2) == 0);
    turn_wait(3);
    if (!racy)
        c = 1;
    MUST(pthread_sigqueue((pthread_t)hidden_get(&receiver), SIGRTMIN + 1, value) == 0);
    if (racy)
        c = 1; //@race C1 write 4
    turn_pass();
    turn_wait(5);
    if (!racy)
        d = 1;
    MUST(sigqueue(getpid(), SIGRTMIN + 2, value) == 0);
    if (racy)
        d = 1; //@race D1 write 4
    turn_pass();
    turn_wait(7);
    if (!racy)
        e = 1;
    MUST(kill(getpid(), SIGRTMIN + 3) == 0);
    if (racy)
        e = 1; //@race E1 write 4
    turn_pass();
    turn_wait(9);
    if (!racy)
        f = 1;
    MUST(killpg(getpgrp(), SIGRTMIN + 4) == 0);
    if (racy)
        f = 1; //@race F1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    const struct timespec long_enough = {100000, 0};
    sigset_t one;
    siginfo_t info;
    int sig = 0;
    hidden_put(&receiver, (long)pthread_self());
    hidden_sign(&receiver_tid);
    turn_pass();
    turn_wait(3); // both handlers have run
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 1);
    MUST(sigwaitinfo(&one, &info) == SIGRTMIN + 1 && info.si_value.sival_int == 3);
    turn_wait(4);
    USE(c); //@race C2 read 4
    turn_pass();
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 2);
    MUST(sigtimedwait(&one, &info, &long_enough) == SIGRTMIN + 2);
    turn_wait(6);
    USE(d); //@race D2 read 4
    turn_pass();
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 3);
    MUST(sigwait(&one, &sig) == 0 && sig == SIGRTMIN + 3);
    turn_wait(8);
    USE(e); //@race E2 read 4
    turn_pass();
    sigemptyset(&one);
    sigaddset(&one, SIGRTMIN + 4);
    MUST(sigwait(&one, &sig) == 0 && sig == SIGRTMIN + 4);
    turn_wait(10);
    USE(f); //@race F2 read 4
    return NULL;
}

int main(void) {
    sigset_t blocked, pending;
    MUST(setpgid(0, 0) == 0);
    sigemptyset(&blocked);
    for (int i = 1; i <= 4; i++)
        sigaddset(&blocked, SIGRTMIN + i);
    MUST(pthread_sigmask(SIG_BLOCK, &blocked, NULL) == 0);
    MUST(sigpending(&pending) == 0 && !sigismember(&pending, SIGRTMIN + 1));
    signal(SIGUSR1, handle);
    signal(SIGUSR2, handle);
    RUN(second, first);
    return 0;
}
