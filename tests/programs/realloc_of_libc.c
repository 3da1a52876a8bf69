// SPDX-License-Identifier: Apache-2.0
// What libc allocates for itself, and makes larger under a lock of its own (here its table of the handlers of fork), is no memory of the program's. Racy:
// a race beside it.
// exercises: __register_atfork
#include "tests/programs/invisible.h"

enum { MANY = 200 };
int x;

static void nothing(void) {}

static void register_many(void) {
    for (int i = 0; i < MANY; i++)
        MUST(pthread_atfork(nothing, nothing, nothing) == 0);
}

THREAD(first) {
    register_many();
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    register_many();
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
