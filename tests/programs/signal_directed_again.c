// SPDX-License-Identifier: Apache-2.0
// A signal that was sent to a thread which has ended comes before nothing that a later thread takes, although that one may have its handle and its number.
// Racy: who writes signals the first; in the twin the second.
// peer-skip: libtsan knows signals by their number only
#include "tests/programs/invisible.h"
#include <signal.h>

_Alignas(8) int x;
static long first_handle, second_handle;

THREAD(first) {
    hidden_put(&first_handle, (long)pthread_self());
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(writes) {
    turn_wait(1);
    if (racy) {
        x = 1; //@race A1 write 4
        MUST(pthread_kill((pthread_t)hidden_get(&first_handle), SIGUSR1) == 0);
    }
    turn_pass();
    turn_wait(3);
    if (!racy) {
        x = 1;
        MUST(pthread_kill((pthread_t)hidden_get(&second_handle), SIGUSR1) == 0);
    }
    return NULL;
}

THREAD(second) {
    sigset_t one;
    int sig;
    MUST(sigemptyset(&one) == 0 && sigaddset(&one, SIGUSR1) == 0);
    hidden_put(&second_handle, (long)pthread_self());
    turn_pass();
    MUST(sigwait(&one, &sig) == 0);
    USE(x); //@race A2 read 4
    return NULL;
}

int main(void) {
    sigset_t one;
    pthread_t a, b, w;
    MUST(sigemptyset(&one) == 0 && sigaddset(&one, SIGUSR1) == 0 && pthread_sigmask(SIG_BLOCK, &one, NULL) == 0);
    MUST(pthread_create(&w, NULL, writes, NULL) == 0 && pthread_create(&a, NULL, first, NULL) == 0 && pthread_join(a, NULL) == 0);
    MUST(pthread_create(&b, NULL, second, NULL) == 0);
    turn_wait(3);
    if (racy)
        MUST(pthread_kill(b, SIGUSR1) == 0);
    MUST(pthread_join(b, NULL) == 0 && pthread_join(w, NULL) == 0);
    return 0;
}
