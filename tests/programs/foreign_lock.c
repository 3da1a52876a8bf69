// SPDX-License-Identifier: Apache-2.0
// A lock of a library that nothing instruments, which it makes by atomic instructions, orders what two threads do under it. Racy: the second thread
// does not take it. The library computes what it would without us.
// options: foreign_atomics=libcounted
// library: counted
// output: 0 mistakes
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include <stdio.h>

#include "tests/programs/foreign.h"

static int lock;
int x;

THREAD(first) {
    counted_lock(&lock);
    x = 1; //@race 1 write 4
    counted_unlock(&lock);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        counted_lock(&lock);
    x = 2; //@race 2 write 4
    if (!racy)
        counted_unlock(&lock);
    return NULL;
}

int main(void) {
    RUN(first, second);
    printf("%d mistakes\n", counted_mistakes());
    return 0;
}
