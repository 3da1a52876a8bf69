// SPDX-License-Identifier: Apache-2.0
// A call that takes a struct by value reads all of it where it is. Racy: the second thread writes its last member; in the twin what
// follows it.
// peer-skip: compilers do not instrument it
// skip emulated: there are no passes for cross-compilers
#include "tests/programs/invisible.h"

struct big {
    long member[5];
};
struct {
    struct big s;
    long after;
} source;

static void take(struct big b) {
    USE(&b);
}
void (*volatile taker)(struct big) = take;

THREAD(first) {
    taker(source.s); //@race 1 read 40
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    *(racy ? &source.s.member[4] : &source.after) = 1; //@race 2 write 8
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
