// SPDX-License-Identifier: Apache-2.0
// Contexts that are no fibers: each keeps its own call stack, also when libc goes from the end of one to the next.
// peer-skip: libtsan loses the call stack at a switch
#include "tests/programs/invisible.h"
#include <ucontext.h>

static ucontext_t outer, inner;
static char stack[1 << 16];
_Alignas(8) int x;
_Alignas(8) int y;
_Alignas(8) int z;

static NOINLINE void deep(int n) {
    if (n > 0) {
        deep(UNKNOWN(n - 1));
        USE(n);
    } else {
        swapcontext(&inner, &outer); /* two frames deeper than it began */
    }
}

static void run(int a, int b) {
    MUST(a == 7 && b == -8);
    deep(2);
    y = 1; //@race A1 write 4 in run
}

static NOINLINE void play(void) {
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, (void (*)(void))run, 2, 7, -8);
    swapcontext(&outer, &inner);
    z = 1; //@race B1 write 4 in play<first
    swapcontext(&outer, &inner);
    USE(x);
}

THREAD(first) {
    play();
    x = 2; //@race C1 write 4 in first
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(y); //@race A2 read 4
        USE(z); //@race B2 read 4
        USE(x); //@race C2 read 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
