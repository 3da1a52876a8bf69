// SPDX-License-Identifier: Apache-2.0
// Timers that come and go leave nothing behind, whether they send a signal or call a function; and one that calls the same function as one before it, with the same
// value, is another timer. Racy: the data is written after it was set.
// peer-skip: libtsan does not know such threads
#include "tests/programs/invisible.h"
#include <signal.h>
#include <sys/resource.h>
#include <time.h>

enum { TIMES = 100000, KILOBYTES_MOST = 20000 };

static const struct itimerspec soon = {.it_value = {.tv_nsec = 1}}, never = {.it_value = {.tv_sec = 1000000}};
static long hold, after;
int x, y;

static void run_out(union sigval value) {
    MUST(value.sival_int == 5);
    if (!hidden_get(&after))
        USE(x);
    while (racy && hidden_get(&after) && !hidden_get(&hold))
        hidden_yield();
    if (hidden_get(&after))
        USE(y); //@race 2 read 4 in run_out
    turn_pass();
}

static long used(void) {
    struct rusage now;
    MUST(getrusage(RUSAGE_SELF, &now) == 0);
    return now.ru_maxrss;
}

static void come_and_go(struct sigevent *event, int times) {
    for (int i = 0; i < times; i++) {
        timer_t timer;
        MUST(timer_create(CLOCK_MONOTONIC, event, &timer) == 0);
        MUST(timer_settime(timer, 0, &never, NULL) == 0 && timer_delete(timer) == 0);
    }
}

int main(void) {
    struct sigevent signals = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct sigevent calls = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_int = 5}};
    timer_t timer;
    calls.sigev_notify_function = run_out;
    x = 1;
    MUST(timer_create(CLOCK_MONOTONIC, &calls, &timer) == 0 && timer_settime(timer, 0, &soon, NULL) == 0);
    turn_wait(1);
    MUST(timer_delete(timer) == 0);
    hidden_put(&after, 1);
    come_and_go(&calls, TIMES); // until memory of threads that have ended is used again
    long before = used();
    come_and_go(&signals, TIMES);
    come_and_go(&calls, TIMES);
    MUST(used() < before + KILOBYTES_MOST);
    MUST(timer_create(CLOCK_MONOTONIC, &calls, &timer) == 0);
    if (racy)
        MUST(timer_settime(timer, 0, &soon, NULL) == 0);
    y = 1; //@race 1 write 4
    hidden_put(&hold, 1);
    if (!racy)
        MUST(timer_settime(timer, 0, &soon, NULL) == 0);
    turn_wait(2);
    MUST(timer_delete(timer) == 0);
    return 0;
}
