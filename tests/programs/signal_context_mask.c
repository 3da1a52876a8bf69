// SPDX-License-Identifier: Apache-2.0
// A handler blocks its signal for afterwards, in the mask of its context, also where the signal came in the runtime. Racy: what the sender writes last is not ordered.
// peer-skip: libtsan's handlers may come later, with a context of its own
#include "tests/programs/invisible.h"
#include <signal.h>
#include <ucontext.h>

enum { TIMES = 300 };

static pthread_t receiver_id;
static long came, counter;
int x;

static void on_signal(int sig, siginfo_t *info, void *context) {
    (void)info;
    sigaddset(&((ucontext_t *)context)->uc_sigmask, sig);
    hidden_put(&came, 1);
}

THREAD(sends) {
    for (long i = 1; i <= TIMES; i++) {
        turn_wait((unsigned)i);
        MUST(pthread_sigqueue(receiver_id, SIGRTMIN + 1, (union sigval){0}) == 0);
    }
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

int main(void) {
    struct sigaction act = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};
    sigset_t set, now;
    pthread_t sender;
    receiver_id = pthread_self();
    MUST(sigaction(SIGRTMIN + 1, &act, NULL) == 0);
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    MUST(pthread_create(&sender, NULL, sends, NULL) == 0);
    for (long i = 1; i <= TIMES; i++) {
        pthread_sigmask(SIG_UNBLOCK, &set, NULL);
        turn_pass();
        while (!hidden_get(&came))
            __atomic_fetch_add(&counter, 1, __ATOMIC_ACQ_REL);
        hidden_put(&came, 0);
        pthread_sigmask(SIG_BLOCK, NULL, &now);
        MUST(sigismember(&now, SIGRTMIN + 1));
    }
    turn_wait(TIMES + 1);
    if (racy)
        x = 2; //@race 2 write 4
    pthread_join(sender, NULL);
    x = 3;
    return 0;
}
