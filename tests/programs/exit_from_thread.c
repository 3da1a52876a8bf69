// SPDX-License-Identifier: Apache-2.0
// A thread that is not the first ends the program with exit while others wait; handlers of atexit run there. Racy: the
// handler reads what an unordered thread wrote.
// exit: 5
// output: handler
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <stdlib.h>

int x;

static void handler(void) {
    puts("handler");
    if (racy)
        USE(x); //@race 2 read 4 in handler
}

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    turn_wait(2); // never: the program ends before
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    exit(5);
}

int main(void) {
    atexit(handler);
    RUN(first, second);
    return 0;
}
