// SPDX-License-Identifier: Apache-2.0
// A context that getcontext made runs on its maker's stack, and goes back by setcontext to what swapcontext saved: the program's frame, not one of ours that
// is gone. And makecontext passes on many arguments. Racy: a race behind that.
#include "tests/programs/invisible.h"
#include <ucontext.h>

static ucontext_t saved, other, with_many;
static char stack[1 << 16];
int x;

static void many(int a0, int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int a10, int a11, int a12, int a13, int a14, int a15, int a16,
                 int a17, int a18, int a19) {
    MUST(a0 == 0 && a1 == 1 && a2 == 2 && a3 == 3 && a4 == 4 && a5 == 5 && a6 == 6 && a7 == 7 && a8 == 8 && a9 == 9);
    MUST(a10 == 10 && a11 == 11 && a12 == 12 && a13 == 13 && a14 == 14 && a15 == 15 && a16 == 16 && a17 == 17 && a18 == 18 && a19 == 19);
}

static NOINLINE void there_and_back(void) {
    volatile int times = 0;
    MUST(getcontext(&other) == 0);
    if (times++ == 1) {
        setcontext(&saved);
        MUST(0);
    }
    MUST(swapcontext(&saved, &other) == 0 && times == 2);
}

THREAD(first) {
    there_and_back();
    MUST(getcontext(&with_many) == 0);
    with_many.uc_stack.ss_sp = stack;
    with_many.uc_stack.ss_size = sizeof stack;
    with_many.uc_link = &saved;
    makecontext(&with_many, (void (*)(void))many, 20, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
    MUST(swapcontext(&saved, &with_many) == 0);
    x = 1; //@race 1 write 4 in first
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
