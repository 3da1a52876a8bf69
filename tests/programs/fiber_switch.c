// SPDX-License-Identifier: Apache-2.0
// A fiber is a thread of its own; a switch orders the one before the other, unless it is told not to.
// flags: -Wno-unused-parameter
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>
#include <signal.h>
#include <ucontext.h>

static ucontext_t outer, inner;
static void *outer_fiber, *inner_fiber;
static char stack[1 << 16];
int x;

static void run(void) {
    USE(x); //@race 2 read 4 in run
    stack_t alternate;
    MUST(sigaltstack(NULL, &alternate) == 0 && alternate.ss_flags == SS_DISABLE && !alternate.ss_sp); /* the thread's own is the runtime's */
    __tsan_switch_to_fiber(outer_fiber, 0);
    swapcontext(&inner, &outer);
}

int main(void) {
    outer_fiber = __tsan_get_current_fiber();
    inner_fiber = __tsan_create_fiber(0);
    __tsan_set_fiber_name(inner_fiber, NULL); /* no name */
    __tsan_set_fiber_name(inner_fiber, "inner");
    getcontext(&inner);
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    makecontext(&inner, run, 0);
    x = 1; //@race 1 write 4 in main
    __tsan_switch_to_fiber(inner_fiber, racy ? __tsan_switch_to_fiber_no_sync : 0);
    swapcontext(&outer, &inner);
    __tsan_destroy_fiber(inner_fiber);
    return 0;
}
