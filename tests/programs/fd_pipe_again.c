// SPDX-License-Identifier: Apache-2.0
// A pipe's end that is opened once more by its name below /proc is the same pipe: a byte that is written there orders the reader at the other
// end. Racy: the reader does not read.
// peer-skip: libtsan takes it for another file
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int ends[2], data;

THREAD(first) {
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", ends[1]);
    int again = open(name, O_WRONLY);
    data = 1; //@race 1 write 4
    MUST(write(again, "x", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char byte;
    turn_wait(1);
    if (!racy)
        MUST(read(ends[0], &byte, 1) == 1);
    USE(data); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(ends) == 0);
    RUN(first, second);
    return 0;
}
