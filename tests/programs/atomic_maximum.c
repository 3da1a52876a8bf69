// SPDX-License-Identifier: Apache-2.0
// An atomic maximum publishes what came before it, and one that reads what it stored acquires it. Racy: the first one is relaxed.
// only: clang (gcc has none)
// peer-skip clang: LLVM's pass leaves it out
// skip emulated clang: there are no passes for cross-compilers
#include "tests/programs/invisible.h"

int x;
unsigned highest;

THREAD(first) {
    x = 1; //@race A1 write 4
    __atomic_fetch_max(&highest, 5, racy ? __ATOMIC_RELAXED : __ATOMIC_RELEASE); //@race B1 atomic write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(__atomic_fetch_max(&highest, 3, __ATOMIC_ACQUIRE) == 5);
    USE(x); //@race A2 read 4
    if (racy)
        highest = 7; //@race B2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
