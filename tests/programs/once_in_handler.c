// SPDX-License-Identifier: Apache-2.0
// A handler of a signal calls pthread_once while its thread waits there for another thread's routine, which does not come to its end: each call runs its own
// routine. Racy: a third thread writes what the second one's routine wrote.
// peer-skip: libtsan's pthread_once never gets over a cancellation
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdio.h>

static pthread_once_t outer = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static long second_tid, handled;
static int outer_runs, inner_runs;
int x;

// Returns when the kernel says that the thread sleeps.
static void wait_asleep(long tid) {
    char path[64], state[256];
    snprintf(path, sizeof path, "/proc/self/task/%ld/stat", tid);
    for (long n = 0, at = 0;; hidden_yield()) {
        long fd = hidden_syscall(SYS_openat, -100, (long)path, 0, 0);
        n = hidden_syscall(SYS_read, fd, (long)state, sizeof state, 0);
        hidden_syscall(SYS_close, fd, 0, 0, 0);
        for (long i = 0; i + 2 < n; i++)
            at = state[i] == ')' ? i : at;
        if (n > 0 && state[at + 2] == 'S')
            return;
    }
}

static void inner_routine(void) {
    inner_runs++;
}

static void outer_routine(void) {
    if (outer_runs++ > 0) {
        x = 1; //@race 1 write 4 in outer_routine
        return;
    }
    turn_pass();
    turn_wait(2);
    wait_asleep(hidden_get(&second_tid));
    hidden_syscall(SYS_tgkill, hidden_syscall(SYS_getpid, 0, 0, 0, 0), hidden_get(&second_tid), SIGUSR1, 0);
    while (!hidden_get(&handled))
        hidden_yield();
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

static void on_signal(int sig) {
    (void)sig;
    pthread_once(&inner, inner_routine);
    hidden_put(&handled, 1);
}

THREAD(first) {
    pthread_once(&outer, outer_routine);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    hidden_put(&second_tid, hidden_tid());
    turn_pass();
    pthread_once(&outer, outer_routine);
    turn_pass();
    return NULL;
}

THREAD(third) {
    turn_wait(3);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    signal(SIGUSR1, on_signal);
    RUN(first, second, third);
    MUST(outer_runs == 2 && inner_runs == 1);
    return 0;
}
