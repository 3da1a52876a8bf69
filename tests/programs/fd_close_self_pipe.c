// SPDX-License-Identifier: Apache-2.0
// A thread that waits is told to end by a byte in a pipe; it closes its end, who told it the other. Racy: who told it closes both.
#include "tests/programs/invisible.h"
#include <unistd.h>

static int ends[2];

THREAD(waits) {
    char byte;
    MUST(read(ends[0], &byte, 1) == 1); //@race 1 read 8
    if (!racy)
        MUST(close(ends[0]) == 0);
    turn_pass();
    return NULL;
}

THREAD(tells) {
    MUST(write(ends[1], "x", 1) == 1);
    MUST(close(ends[1]) == 0);
    turn_wait(1);
    if (racy)
        MUST(close(ends[0]) == 0); //@race 2 write 8
    return NULL;
}

int main(void) {
    MUST(pipe(ends) == 0);
    RUN(waits, tells);
    return 0;
}
