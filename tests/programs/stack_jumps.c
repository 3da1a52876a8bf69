// SPDX-License-Identifier: Apache-2.0
// All ways to leave functions without returning from them, by jump or by context; the stacks are right after each.
#include "tests/programs/invisible.h"
#include <setjmp.h>
#include <ucontext.h>

enum { WAYS = 4 };
void __longjmp_chk(jmp_buf to, int value) __attribute__((noreturn));

_Alignas(8) int x[WAYS][2];
static jmp_buf here;
static sigjmp_buf here_too;
static ucontext_t context;

static NOINLINE void leave(int way, int depth) {
    if (depth > 0)
        leave(way, depth - 1);
    else if (UNKNOWN(way) == 0)
        _longjmp(here, 1);
    else if (way == 1)
        __longjmp_chk(here, 1);
    else if (way == 2)
        siglongjmp(here_too, 1);
    else
        setcontext(&context);
}

static NOINLINE void jump(int way) {
    volatile int times = 0;
    if (way == 3) {
        MUST(getcontext(&context) == 0);
        if (times++ == 0)
            leave(way, 7);
    } else if (way == 2) {
        if (sigsetjmp(here_too, 1) == 0)
            leave(way, 7);
    } else if (setjmp(here) == 0) {
        leave(way, 7);
    }
    __asm__ volatile("" : : : "memory");
}

static NOINLINE void set(int way) {
    x[way][0] = 1; //@race 1 write 4 in set<first
    __asm__ volatile("" : : : "memory");
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        jump(way);
        set(way);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int way = 0; way < WAYS; way++)
        USE(x[way][!racy]); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
