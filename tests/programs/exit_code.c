// SPDX-License-Identifier: Apache-2.0
// Without a race a program's own exit code and output are what they were. Racy: 66, and still the same output.
// exit: 3
// output: one line of output
#include "tests/programs/invisible.h"
#include <stdio.h>

int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    puts("one line of output");
    return 3;
}
