// SPDX-License-Identifier: Apache-2.0
// A thread that sleeps until another one should be through is ordered by nothing; the report says where it slept. Twin: what it comes to after the sleep a mutex
// orders as well.
// report: ^  As if synchronized via sleep:\n    #0 (usleep <null> .*\n    #1 )?after_usleep .*sleep_hint.c:\d+
// report: ^  As if synchronized via sleep:\n    #0 (sleep <null> .*\n    #1 )?after_sleep .*sleep_hint.c:\d+
// report: ^  As if synchronized via sleep:\n    #0 (nanosleep <null> .*\n    #1 )?after_nanosleep .*sleep_hint.c:\d+
// report: ^  As if synchronized via sleep:\n    #0 (clock_nanosleep <null> .*\n    #1 )?after_clock_nanosleep .*sleep_hint.c:\d+
#include "tests/programs/invisible.h"

#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static const struct timespec moment = {0, 1000};
int a, b, c, d;

static NOINLINE void after_usleep(void) {
    MUST(usleep(1) == 0);
    USE(a); //@race A2 read 4
}
static NOINLINE void after_sleep(void) {
    MUST(sleep(0) == 0);
    USE(b); //@race B2 read 4
}
static NOINLINE void after_nanosleep(void) {
    MUST(nanosleep(&moment, NULL) == 0);
    USE(c); //@race C2 read 4
}
static NOINLINE void after_clock_nanosleep(void) {
    MUST(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL) == 0);
    USE(d); //@race D2 read 4
}

THREAD(first) {
    pthread_mutex_lock(&m);
    a = 1; //@race A1 write 4
    b = 1; //@race B1 write 4
    c = 1; //@race C1 write 4
    d = 1; //@race D1 write 4
    if (!racy)
        pthread_mutex_unlock(&m);
    turn_pass();
    if (racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_mutex_lock(&m);
    after_usleep();
    after_sleep();
    after_nanosleep();
    after_clock_nanosleep();
    if (!racy)
        pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
