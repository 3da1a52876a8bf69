// SPDX-License-Identifier: Apache-2.0
// A lock that a library gives up by a plain store, before it wakes who may be waiting by a futex, orders. Racy: the second thread does not take it.
// options: foreign_atomics=libcounted
// library: counted
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include "tests/programs/foreign.h"

static int lock;
int x;

THREAD(first) {
    counted_lock(&lock);
    x = 1; //@race 1 write 4
    counted_wake(&lock);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        counted_lock(&lock);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
