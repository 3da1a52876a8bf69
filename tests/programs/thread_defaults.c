// SPDX-License-Identifier: Apache-2.0
// What pthread_setattr_default_np says counts for threads without attributes: their mask of signals, and that nobody joins them. A thread that a cleanup handler
// makes while its thread is cancelled can be cancelled, too. Racy: also a race between two of them.
// exercises: pthread_setattr_default_np
// peer-skip: libtsan reports the detached thread as a leak
#include "tests/programs/invisible.h"
#include <signal.h>
#include <unistd.h>

int x;
static pthread_t of_handler;

THREAD(first) {
    sigset_t blocked;
    MUST(pthread_sigmask(SIG_SETMASK, NULL, &blocked) == 0 && sigismember(&blocked, SIGHUP) && !sigismember(&blocked, SIGUSR1));
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    turn_pass();
    return NULL;
}

THREAD(sleeps) {
    for (;;)
        sleep(1000);
    return NULL;
}

static void make(void *unused) {
    (void)unused;
    MUST(pthread_create(&of_handler, NULL, sleeps, NULL) == 0);
}

THREAD(makes_when_cancelled) {
    pthread_cleanup_push(make, NULL);
    turn_pass();
    for (;;)
        sleep(1000);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_attr_t attr, as_before;
    sigset_t mask;
    void *result;
    MUST(pthread_getattr_default_np(&as_before) == 0);
    sigemptyset(&mask);
    sigaddset(&mask, SIGHUP);
    MUST(pthread_attr_init(&attr) == 0 && pthread_attr_setsigmask_np(&attr, &mask) == 0);
    MUST(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0 && pthread_setattr_default_np(&attr) == 0);
    MUST(pthread_create(&t, NULL, first, NULL) == 0 && pthread_create(&t, NULL, second, NULL) == 0);
    turn_wait(2);
    usleep(50000); // they end, and are no leaks

    MUST(pthread_setattr_default_np(&as_before) == 0);
    MUST(pthread_create(&t, NULL, makes_when_cancelled, NULL) == 0);
    turn_wait(3);
    MUST(pthread_cancel(t) == 0 && pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);
    MUST(pthread_cancel(of_handler) == 0 && pthread_join(of_handler, &result) == 0 && result == PTHREAD_CANCELED);
    return 0;
}
