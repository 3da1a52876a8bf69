// SPDX-License-Identifier: Apache-2.0
// A signal may come to a thread before its function begins: what its handler does is checked, and orders. Racy: the handler writes what the
// main thread writes after it sent the signal, and what main writes is read by a thread that does not ask whether the handler passed it on.
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdatomic.h>

int early, late;
static atomic_int asked, answered;
static long handled;

static void on_signal(int signal) {
    (void)signal;
    turn_wait(1);
    if (racy)
        early = 1; //@race A2 write 4
    if (atomic_load_explicit(&asked, memory_order_acquire))
        atomic_store_explicit(&answered, 1, memory_order_release);
    hidden_put(&handled, 1);
}

THREAD(interrupted) {
    while (!hidden_get(&handled))
        hidden_yield();
    return arg;
}

THREAD(waiting) {
    while (!hidden_get(&handled))
        hidden_yield();
    if (!racy)
        MUST(atomic_load_explicit(&answered, memory_order_acquire));
    USE(late); //@race B2 read 4
    return arg;
}

int main(void) {
    struct sigaction action = {.sa_handler = on_signal};
    MUST(sigaction(SIGUSR1, &action, NULL) == 0);
    pthread_t one, other;
    MUST(pthread_create(&other, NULL, waiting, NULL) == 0);
    MUST(pthread_create(&one, NULL, interrupted, NULL) == 0);
    MUST(pthread_kill(one, SIGUSR1) == 0);
    early = 2; //@race A1 write 4
    late = 1; //@race B1 write 4
    atomic_store_explicit(&asked, 1, memory_order_release);
    turn_pass();
    MUST(pthread_join(one, NULL) == 0);
    MUST(pthread_join(other, NULL) == 0);
    return 0;
}
