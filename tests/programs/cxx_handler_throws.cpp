// SPDX-License-Identifier: Apache-2.0
// A handler of a fault is left by an exception: after that the thread may allocate. Racy: the exception itself is allocated in the handler, which is told.
// only: gcc (clang's functions do not expect an exception where they read)
// flags: -fnon-call-exceptions
// racy-text: the handler has a frame of its own or not
// report: signal-unsafe call inside of a signal
// reports: 1
// not recorded: what is told is no race
// peer-skip: libtsan tells of each allocation
#include <signal.h>
#include <stdlib.h>

#include "tests/programs/invisible.h"

static int caught;

static void on_fault(int) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    throw 1;
}

static NOINLINE int look(const volatile int *p) {
    return *p;
}

static void works() {
    try {
        throw 2; // what the library needs for the thread is there from now on
    } catch (int) {
    }
    try {
        if (racy)
            USE(look(UNKNOWN((const volatile int *)nullptr)));
    } catch (int) {
        caught++;
        free(malloc(UNKNOWN(1)));
    }
    free(malloc(UNKNOWN(1)));
}

THREAD(thread) {
    works();
    return nullptr;
}

int main() {
    signal(SIGSEGV, on_fault);
    RUN(thread);
    MUST(caught == racy);
    free(malloc(UNKNOWN(1)));
    return 0;
}
