// SPDX-License-Identifier: Apache-2.0
// The signal of setitimer comes after the call. Racy: the data is written after that call.
// peer-skip: libtsan does not know timers
#include "tests/programs/sent_later.h"
#include <sys/time.h>

static const struct itimerval soon = {.it_value = {.tv_usec = 1}};
int x;

static void set(void) {
    MUST(setitimer(ITIMER_REAL, &soon, NULL) == 0);
}

static void handler(int sig) {
    MUST(sig == SIGALRM);
    USE(x); //@race 2 read 4
    turn_pass();
}

THREAD(asks) {
    ASKS_AROUND(x = 1); //@race 1 write 4
    return NULL;
}

int main(void) {
    run_later(SIGALRM, handler, asks);
    return 0;
}
