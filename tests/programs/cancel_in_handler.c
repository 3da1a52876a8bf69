// SPDX-License-Identifier: Apache-2.0
// A thread is cancelled in a handler of a signal that came in a cancellation point: the handler, which may be in the runtime, runs to its end before.
// Racy: main writes before the join.
// peer-skip: libtsan lets libc end the thread wherever the handler is
#include "tests/programs/invisible.h"
#include <signal.h>

static long in_handler, cancelled, done;
int x;

static void on_signal(int sig) {
    (void)sig;
    hidden_put(&in_handler, 1);
    while (!hidden_get(&cancelled))
        hidden_yield();
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add(&done, 1, __ATOMIC_SEQ_CST);
    x = 1; //@race 1 write 4
    turn_pass();
}

THREAD(waits) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    raise(SIGUSR1);
    sigemptyset(&set);
    sigsuspend(&set);
    pthread_testcancel();
    MUST(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    void *result;
    signal(SIGUSR1, on_signal);
    MUST(pthread_create(&t, NULL, waits, NULL) == 0);
    while (!hidden_get(&in_handler))
        hidden_yield();
    pthread_cancel(t);
    hidden_put(&cancelled, 1);
    if (racy) {
        turn_wait(1);
        x = 2; //@race 2 write 4
    }
    MUST(pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);
    MUST(done == 1000);
    x = 3;
    return 0;
}
