// SPDX-License-Identifier: Apache-2.0
// The report says whose stack the variable is on.
// report: ^  Location is stack of thread T1
#include "tests/programs/invisible.h"

static long address;

static NOINLINE void set(int *p, int value) {
    *p = value; //@race 1 write 4; 2 write 4
}

THREAD(first) {
    int local;
    set(&local, 1);
    hidden_put(&address, (long)&local);
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        set((int *)hidden_get(&address), 2);
    turn_pass();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
