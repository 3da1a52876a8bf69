// SPDX-License-Identifier: Apache-2.0
// As hook_process.c, but the functions are in a library that comes behind the runtime.
// library: hooks
// output: checking begins
// output: checking ends
// exit: 66
// racy-exit: 0
// peer-skip: libtsan of gcc 12 does not look there
// not recorded: the exit code says nothing of races
#include "tests/programs/invisible.h"

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
