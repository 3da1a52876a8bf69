// SPDX-License-Identifier: Apache-2.0
// An exit handler comes after who registered it, whoever ends the process. Racy: the data is written after that.
#include "tests/programs/invisible.h"
#include <stdlib.h>

int x;

static void handler(void) {
    USE(x); //@race 2 read 4 in handler
}

THREAD(first) {
    if (racy)
        atexit(handler);
    x = 1; //@race 1 write 4
    if (!racy)
        atexit(handler);
    turn_pass();
    turn_wait(2); /* nobody joins it */
    return NULL;
}

int main(void) {
    pthread_t t;
    MUST(pthread_create(&t, NULL, first, NULL) == 0);
    turn_wait(1);
    exit(0);
}
