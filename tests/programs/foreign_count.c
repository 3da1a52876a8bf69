// SPDX-License-Identifier: Apache-2.0
// Who drops the last reference, as a library counts them that nothing instruments, comes after all who dropped one before. Racy: the first thread
// goes on with what it has dropped.
// options: foreign_atomics=nothing/lib*
// library: counted
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include "tests/programs/foreign.h"

static int count = 2;
int x;

THREAD(first) {
    if (!racy)
        x = 1;
    MUST(!counted_drop(&count));
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (counted_drop(&count))
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
