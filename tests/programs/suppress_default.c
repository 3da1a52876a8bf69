// SPDX-License-Identifier: Apache-2.0
// What the program says itself: the race on x is held back, the exit code is another, and TSAN_OPTIONS could say otherwise.
// reports: 1
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;

const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) { return "# ours\nrace:^x$\n"; }
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) { return "report_thread_leaks=0:history_size=7"; }

static long who;

THREAD(first) {
    x = 1;
    y = 1; //@race 1 write 4
    turn_pass();
    hidden_sign(&who);
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, first, NULL) == 0); // never joined: its leak is not reported
    turn_wait(1);
    if (racy) {
        x = 2;
        y = 2; //@race 2 write 4
    }
    hidden_wait_signed_gone(&who);
    return 0;
}
