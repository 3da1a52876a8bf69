// SPDX-License-Identifier: Apache-2.0
// A signal that the system sends later, because a thread asked for it: by a timer. The program gives set(), which asks, and a handler; its
// second thread writes before or after it has asked. The first thread takes the signal, after that.
#ifndef TESTS_PROGRAMS_SENT_LATER_H
#define TESTS_PROGRAMS_SENT_LATER_H

#include "tests/programs/invisible.h"
#include <signal.h>

THREAD(takes_signal) {
    sigset_t none;
    sigemptyset(&none);
    turn_wait(1);
    MUST(pthread_sigmask(SIG_SETMASK, &none, NULL) == 0);
    turn_wait(2); // the handler's
    return NULL;
}

// The statement, and set(): in the racy build after it was asked for.
#define ASKS_AROUND(statement)                                                                                         \
    do {                                                                                                               \
        if (racy)                                                                                                      \
            set();                                                                                                     \
        statement;                                                                                                     \
        if (!racy)                                                                                                     \
            set();                                                                                                     \
        turn_pass();                                                                                                   \
    } while (0)

HIDDEN void run_later(int sig, void (*handler)(int), thread_function *asks) {
    struct sigaction act = {.sa_handler = handler};
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, sig);
    MUST(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0);
    MUST(sigaction(sig, &act, NULL) == 0);
    RUN(takes_signal, asks);
}

#endif
