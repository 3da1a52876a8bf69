// SPDX-License-Identifier: Apache-2.0
// Real-time signals come in the order in which they were sent, also when others come between them while the runtime works. Racy: the
// handler's data are read by who sent the signals.
// output: in order
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdio.h>

enum { SIGNALS = 20000, LOCKS = 64 };
int x;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long last, wrong, target; /* by hidden_put() and hidden_get() */

static void numbered(int sig, siginfo_t *info, void *context) {
    (void)sig, (void)context;
    if (info->si_value.sival_int != hidden_get(&last) + 1)
        hidden_put(&wrong, 1);
    x = 1; //@race 1 write 4
    hidden_put(&last, hidden_get(&last) + 1);
}

static void other(int sig) {
    (void)sig;
}

THREAD(first) {
    hidden_put(&target, (long)pthread_self());
    while (hidden_get(&last) < SIGNALS)
        for (int i = 0; i < LOCKS; i++) {
            pthread_mutex_lock(&lock);
            pthread_mutex_unlock(&lock);
        }
    turn_pass();
    return NULL;
}

THREAD(second) {
    while (!hidden_get(&target))
        hidden_yield();
    for (int i = 1; i <= SIGNALS; i++) {
        union sigval value = {.sival_int = i};
        while (pthread_sigqueue((pthread_t)hidden_get(&target), SIGRTMIN + 3, value) != 0)
            hidden_yield();
        if (i % 4 == 0)
            pthread_kill((pthread_t)hidden_get(&target), SIGUSR1);
    }
    turn_wait(1);
    if (racy)
        USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    struct sigaction act = {.sa_sigaction = numbered, .sa_flags = SA_SIGINFO}, plain = {.sa_handler = other};
    MUST(sigaction(SIGRTMIN + 3, &act, NULL) == 0 && sigaction(SIGUSR1, &plain, NULL) == 0);
    RUN(first, second);
    puts(hidden_get(&wrong) ? "out of order" : "in order");
    return 0;
}
