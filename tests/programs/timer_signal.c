// SPDX-License-Identifier: Apache-2.0
// A timer's signal comes after the call that set the timer. Racy: the data is written after that call.
// peer-skip: libtsan does not know timers
// skip emulated: qemu gives timers other numbers
#include "tests/programs/sent_later.h"
#include <time.h>

static timer_t timer;
static const struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
int x;

static void set(void) {
    MUST(timer_settime(timer, 0, &soon, NULL) == 0);
}

static void handler(int sig) {
    MUST(sig == SIGUSR1);
    USE(x); //@race 2 read 4
    turn_pass();
}

THREAD(asks) {
    ASKS_AROUND(x = 1); //@race 1 write 4
    return NULL;
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    run_later(SIGUSR1, handler, asks);
    return 0;
}
