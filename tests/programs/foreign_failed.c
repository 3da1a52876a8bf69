// SPDX-License-Identifier: Apache-2.0
// A compare-and-exchange of a library that nothing instruments hands on what was done before it. Racy: it fails, and is a load.
// options: foreign_atomics=libcounted
// library: counted
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include "tests/programs/foreign.h"

static long word = 1;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    MUST(counted_change(&word, racy ? 5 : 1, 2) == !racy);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(counted_change(&word, racy ? 1 : 2, 3));
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
