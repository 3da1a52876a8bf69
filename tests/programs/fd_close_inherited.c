// SPDX-License-Identifier: Apache-2.0
// A descriptor that the program did not make itself, closed when who used it has been joined. Racy: before that.
// report: Location is file descriptor 0\.$
// peer-skip: libtsan has a stack for it
#include "tests/programs/invisible.h"
#include <unistd.h>

static int again;

THREAD(reads) {
    MUST(read(0, &again, 0) <= 0); //@race 1 read 8
    turn_pass();
    return NULL;
}

THREAD(closes) {
    turn_wait(1);
    if (racy)
        MUST(close(0) == 0); //@race 2 write 8
    return NULL;
}

int main(void) {
    RUN(reads, closes);
    if (!racy)
        MUST(close(0) == 0);
    return 0;
}
