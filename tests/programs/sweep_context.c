// SPDX-License-Identifier: Apache-2.0
// A handler of a signal goes on elsewhere, in a context that getcontext() told, and comes back: what it interrupted goes on after critical sections of
// any number, so none of their ids are used again meanwhile. Racy: another thread's write.
// options: sweep_segments=1:stats=1
// report: \n *\d  sweeps
#include "tests/programs/sections.h"

#include <signal.h>
#include <ucontext.h>

enum { ROUNDS = 200 };

static ucontext_t start, elsewhere, coroutine, handler;
static char stack[1 << 16];
static long gone;
int x;

// Runs twice from where it asked for its context: when it is begun, and when the handler goes there.
static void run(void) {
    MUST(getcontext(&elsewhere) == 0);
    if (!hidden_get(&gone))
        MUST(swapcontext(&coroutine, &start) == 0);
    for (int i = 0; i < ROUNDS; i++)
        section(NULL);
    setcontext(&handler);
}

static void leave(int sig) {
    (void)sig;
    hidden_put(&gone, 1);
    MUST(swapcontext(&handler, &elsewhere) == 0);
}

THREAD(first) {
    MUST(signal(SIGUSR1, leave) != SIG_ERR);
    MUST(getcontext(&coroutine) == 0);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof stack;
    makecontext(&coroutine, run, 0);
    MUST(swapcontext(&start, &coroutine) == 0);
    MUST(raise(SIGUSR1) == 0); // comes back when the coroutine has done its work
    MUST(hidden_get(&gone));
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
