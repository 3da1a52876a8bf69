// SPDX-License-Identifier: Apache-2.0
// A routine of pthread_once that is cancelled: who runs it next comes after that. Racy: the second thread writes without asking.
// peer-skip: libtsan's pthread_once never gets over a cancellation
#include "tests/programs/invisible.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int fails = 1;
int x;

static void initialise(void) {
    if (!fails) {
        x = 2;
        return;
    }
    x = 1; //@race 1 write 4 in initialise
    fails = 0;
    pthread_cancel(pthread_self());
    pthread_testcancel();
}

THREAD(first) {
    pthread_once(&once, initialise);
    return NULL;
}

static long first_tid;

THREAD(cancelled) {
    hidden_sign(&first_tid);
    return first(arg);
}

THREAD(second) {
    hidden_wait_signed_gone(&first_tid);
    if (racy)
        x = 3; //@race 2 write 4
    else
        pthread_once(&once, initialise);
    return NULL;
}

int main(void) {
    RUN(cancelled, second);
    return 0;
}
