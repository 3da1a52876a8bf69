// SPDX-License-Identifier: Apache-2.0
// Who returns from pthread_once sees what the initialiser did, whoever ran it. Racy: the second thread does not ask.
#include "tests/programs/invisible.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
int x;

static void initialise(void) {
    x = 1; //@race 1 write 4 in initialise
}

THREAD(first) {
    pthread_once(&once, initialise);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        pthread_once(&once, initialise);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
