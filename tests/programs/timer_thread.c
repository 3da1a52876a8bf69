// SPDX-License-Identifier: Apache-2.0
// A timer's function runs on a thread of libc's own, and comes after the call that set the timer. Racy: the data is written
// after that call.
// peer-skip: libtsan does not know such threads
#include "tests/programs/invisible.h"
#include <signal.h>
#include <time.h>

static timer_t timer;
static const struct itimerspec soon = {.it_value = {.tv_nsec = 1}};
static long hold;
int x;

static void run_out(union sigval value) {
    MUST(value.sival_int == 5);
    while (racy && !hidden_get(&hold))
        hidden_yield();
    USE(x); //@race 2 read 4 in run_out
    turn_pass();
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_int = 5}};
    event.sigev_notify_function = run_out;
    MUST(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    if (racy)
        MUST(timer_settime(timer, 0, &soon, NULL) == 0);
    x = 1; //@race 1 write 4
    hidden_put(&hold, 1);
    if (!racy)
        MUST(timer_settime(timer, 0, &soon, NULL) == 0);
    turn_wait(1);
    MUST(timer_delete(timer) == 0);
    return 0;
}
