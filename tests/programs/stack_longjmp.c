// SPDX-License-Identifier: Apache-2.0
// longjmp leaves functions without returning from them; the stacks are right all the same.
#include "tests/programs/invisible.h"
#include <setjmp.h>

int x;

static NOINLINE void leave(jmp_buf *to, int depth) {
    if (depth > 0)
        leave(to, depth - 1);
    else if (UNKNOWN(depth) == 0)
        longjmp(*to, 1);
}

static NOINLINE void jump(void) {
    jmp_buf here;
    for (volatile int i = 0; i < 5; i++)
        if (setjmp(here) == 0)
            leave(&here, 7);
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void set(void) {
    x = 1; //@race 1 write 4 in set<first
    __asm__ volatile("" : : : "memory");
}

THREAD(first) {
    jump();
    set();
    turn_pass();
    return NULL;
}

THREAD(second) {
    jump();
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4 in second
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
