// SPDX-License-Identifier: Apache-2.0
// The program's functions that are called when checking begins, and when it ends: the latter says whether the run counts as failed. Racy: it says
// no; the twin's says yes.
// output: checking begins
// output: checking ends
// exit: 66
// racy-exit: 0
// not recorded: the exit code says nothing of races
#include "tests/programs/invisible.h"
#include <stdio.h>

void __tsan_on_initialize(void);
int __tsan_on_finalize(int failed);

void __tsan_on_initialize(void) {
    puts("checking begins");
    fflush(stdout);
}

int __tsan_on_finalize(int failed) {
    puts("checking ends");
    fflush(stdout);
    return !failed;
}

int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
