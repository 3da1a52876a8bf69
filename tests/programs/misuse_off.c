// SPDX-License-Identifier: Apache-2.0
// Each kind has its option: only the leak is left.
// options: report_mutex_bugs=no,report_destroy_locked=no,report_signal_unsafe=no
// report: ^  Thread T1 \(tid=\d+, finished\) created by main thread at:$
// reports: 1
#include "tests/programs/invisible.h"

#include <errno.h>
#include <signal.h>

static long who;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void spoils(int sig) { errno = sig; }

THREAD(ends) {
    hidden_sign(arg);
    return NULL;
}

int main(void) {
    pthread_t t;
    if (racy) {
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        pthread_mutex_destroy(&m);
        signal(SIGUSR1, spoils);
        raise(SIGUSR1);
    }
    MUST(pthread_create(&t, NULL, ends, &who) == 0); //@mistake thread leak
    if (racy)
        hidden_wait_signed_gone(&who);
    else
        pthread_join(t, NULL);
    return 0;
}
