// SPDX-License-Identifier: Apache-2.0
// Each of two threads closes its own copy of a descriptor. Racy: both close the same one, and the second may hit whatever was opened since.
// peer-skip: libtsan forgets the close
#include "tests/programs/invisible.h"
#include <unistd.h>

static int copy[2];

THREAD(first) {
    MUST(close(copy[0]) == 0); //@race 1 write 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(close(copy[!racy]) == -racy); //@race 2 write 8
    return NULL;
}

int main(void) {
    copy[0] = dup(0);
    copy[1] = dup(0);
    RUN(first, second);
    return 0;
}
