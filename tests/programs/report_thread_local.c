// SPDX-License-Identifier: Apache-2.0
// What is in thread-local memory is told with the thread whose it is.
// report: ^  Location is TLS of thread T1
#include "tests/programs/invisible.h"

static _Thread_local int mine;
static long where;

THREAD(first) {
    mine = 1; //@race 1 write 4
    hidden_put(&where, (long)&mine);
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(*(int *)hidden_get(&where)); //@race 2 read 4
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
