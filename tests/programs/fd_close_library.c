// SPDX-License-Identifier: Apache-2.0
// What a library that is not instrumented closes is no race with who used it, since the library may order that in a way that is not seen; it
// is a close all the same, and the number a new one then. Racy: the program closes it itself.
// library: closes
// not recorded: an analysis does not know which code was instrumented
// peer-skip: libtsan reports it
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

int library_close(int fd);

static int number;

THREAD(first) {
    char byte;
    MUST(read(number, &byte, 1) == 1); //@race 1 read 8
    turn_pass();
    turn_wait(2);
    MUST(open("/dev/zero", O_RDONLY) == number && read(number, &byte, 1) == 1);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST((racy ? close(number) : library_close(number)) == 0); //@race 2 write 8
    turn_pass();
    return NULL;
}

int main(void) {
    number = open("/dev/zero", O_RDONLY);
    RUN(first, second);
    return 0;
}
