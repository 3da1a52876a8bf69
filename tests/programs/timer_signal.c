// SPDX-License-Identifier: Apache-2.0
// A timer's signal comes after the call that set the timer. Racy: the data is written after that call.
// peer-skip: libtsan does not know timers
#include "tests/programs/invisible.h"
#include <signal.h>
#include <time.h>

static timer_t timer;
static const struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
int x;

static void handler(int sig) {
    MUST(sig == SIGUSR1);
    USE(x); //@race 2 read 4
    turn_pass();
}

static void set(void) {
    MUST(timer_settime(timer, 0, &soon, NULL) == 0);
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
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct sigaction act = {.sa_handler = handler};
    sigset_t set_;
    sigemptyset(&set_);
    sigaddset(&set_, SIGUSR1);
    MUST(sigprocmask(SIG_BLOCK, &set_, NULL) == 0);
    MUST(sigaction(SIGUSR1, &act, NULL) == 0);
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    RUN(first, second);
    return 0;
}
