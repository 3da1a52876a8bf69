// SPDX-License-Identifier: Apache-2.0
// A handler of quick_exit runs after it was registered, whichever thread did so and whichever ends the process. Racy: what was written after that has no order
// with it.
// exercises: __cxa_at_quick_exit
// exit: 3
// peer-skip: libtsan does not look at handlers of quick_exit
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <unistd.h>

int x, y;

static void at_end(void) {
    USE(x);
    USE(y); //@race 2 read 4
}

THREAD(first) {
    x = 1;
    if (!racy)
        y = 1;
    MUST(at_quick_exit(at_end) == 0);
    if (racy)
        y = 1; //@race 1 write 4
    turn_pass();
    for (;;)
        pause();
}

int main(void) {
    pthread_t id;
    MUST(pthread_create(&id, NULL, first, NULL) == 0);
    turn_wait(1);
    quick_exit(3);
}
