// SPDX-License-Identifier: Apache-2.0
// strip_path_prefix leaves the beginning of file names out.
// options: strip_path_prefix=HERE/
// flags: -g
// report: ^    #0 second (tests/programs/)?option_strip_path_prefix.c:\d+
// peer-skip: options and layout of our own
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
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
