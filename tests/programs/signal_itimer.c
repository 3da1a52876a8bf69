// SPDX-License-Identifier: Apache-2.0
// The signal of setitimer comes after the call. Racy: the data is written after that call.
// peer-skip: libtsan does not know timers
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/time.h>

static const struct itimerval soon = {.it_value = {.tv_usec = 1}};
int x;

static void handler(int sig) {
    MUST(sig == SIGALRM);
    USE(x); //@race 2 read 4
    turn_pass();
}

static void set(void) {
    MUST(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

THREAD(first) {
    sigset_t none;
    sigemptyset(&none);
    turn_wait(1);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    turn_wait(2);
    return NULL;
}

THREAD(second) {
    if (racy)
        set();
    x = 1; //@race 1 write 4
    if (!racy)
        set();
    turn_pass();
    return NULL;
}

int main(void) {
    struct sigaction act = {.sa_handler = handler};
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGALRM);
    MUST(sigprocmask(SIG_BLOCK, &blocked, NULL) == 0);
    MUST(sigaction(SIGALRM, &act, NULL) == 0);
    RUN(first, second);
    return 0;
}
