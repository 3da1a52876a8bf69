// SPDX-License-Identifier: Apache-2.0
// A lock that the program itself makes by atomic instructions in assembly; its own name is one of several in the option. It orders what two threads do
// under it. Racy: the second thread does not take it.
// options: foreign_atomics=libnowhere/foreign_own*/libnot
// skip aarch64: instructions of x86-64 only
// peer-skip: no order is seen there
#include "tests/programs/invisible.h"

static int lock;
int x;

/* Nothing jumps behind the instruction, so that it can be moved. */
static int exchange(int *place, int value) {
    __asm__ volatile("xchgl %0, (%1)\n\tnop\n\tnop\n\tnop\n\tnop" : "+r"(value) : "r"(place) : "memory");
    return value;
}

static NOINLINE void take(void) {
    while (exchange(&lock, 1))
        hidden_yield();
}

static NOINLINE void give(void) {
    MUST(exchange(&lock, 0) == 1);
}

THREAD(first) {
    take();
    x = 1; //@race 1 write 4
    give();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        take();
    x = 2; //@race 2 write 4
    if (!racy)
        give();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
