// SPDX-License-Identifier: Apache-2.0
// What a fiber did that is suspended during a fork is apart from what the child writes, as what a thread did; what it does when it goes on in the child is not.
// Racy: the child's thread and that fiber write one variable, without an order.
// not recorded: the race is in the child
// peer-skip: libtsan checks nothing in the child of a process with threads
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

_Alignas(8) int before;
_Alignas(8) int after;
static ucontext_t outer, inner;
static void *fiber;
static char stack[1 << 16];

static void back(void *to) {
    __tsan_switch_to_fiber(to, __tsan_switch_to_fiber_no_sync);
    swapcontext(&inner, &outer);
}

static void run(void) {
    before = 1;
    back((void *)hidden_get((long *)stack));
    after = 1; //@race 2 write 4 in run
    back((void *)hidden_get((long *)stack));
}

static void resume(void) {
    hidden_put((long *)stack, (long)__tsan_get_current_fiber());
    __tsan_switch_to_fiber(fiber, __tsan_switch_to_fiber_no_sync);
    swapcontext(&outer, &inner);
}

THREAD(resumes) {
    resume();
    turn_pass();
    turn_wait(2); /* as in fork_apart.c */
    return NULL;
}

THREAD(forker) {
    int status;
    turn_wait(1);
    pid_t child = fork();
    MUST(child >= 0);
    if (child == 0) {
        before = 2;
        if (racy)
            after = 2; //@race 1 write 4
        resume();
        exit(0);
    }
    MUST(waitpid(child, &status, 0) == child && WIFEXITED(status));
    MUST(WEXITSTATUS(status) == (racy ? 66 : 0));
    _exit(WEXITSTATUS(status));
}

int main(void) {
    fiber = __tsan_create_fiber(0);
    MUST(getcontext(&inner) == 0);
    inner.uc_stack.ss_sp = stack + 64; /* below it: which fiber goes on */
    inner.uc_stack.ss_size = sizeof stack - 64;
    makecontext(&inner, run, 0);
    RUN(resumes, forker);
    return 0;
}
