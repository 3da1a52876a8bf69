// SPDX-License-Identifier: Apache-2.0
// The last thread of a process ends, after main: libc ends the process with it, and what exit handlers do there is checked, with the signals that the thread
// has. Racy: a handler reads what a detached thread has written, which is gone before: it would be the last one else.
// skip emulated: now and then the last thread is not known for it under qemu
#include "tests/programs/invisible.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

int x;
static pthread_t of_main;
static long of_first;

THREAD(first) {
    x = 1; //@race 1 write 4
    hidden_sign(&of_first);
    return NULL;
}

THREAD(last) {
    hidden_wait_signed_gone(&of_first);
    MUST(pthread_join(of_main, NULL) == 0 && pthread_detach(pthread_self()) == 0);
    return NULL;
}

static void at_exit(void) {
    sigset_t blocked;
    MUST(pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && !sigismember(&blocked, SIGUSR1));
    if (racy)
        USE(x); //@race 2 read 4
}

int main(void) {
    pthread_t t;
    of_main = pthread_self();
    MUST(atexit(at_exit) == 0);
    MUST(pthread_create(&t, NULL, first, NULL) == 0 && pthread_detach(t) == 0);
    MUST(pthread_create(&t, NULL, last, NULL) == 0);
    pthread_exit(NULL);
}
