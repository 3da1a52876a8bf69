// SPDX-License-Identifier: Apache-2.0
// Each thread has its own copy of a thread-local variable. Racy: one thread hands out a pointer to its copy.
#include "tests/programs/invisible.h"

__thread int mine;
static long address;

static NOINLINE void set(int *p, int value) {
    *p = value; //@race 1 write 4; 2 write 4
}

THREAD(first) {
    set(&mine, 1);
    hidden_put(&address, (long)&mine);
    turn_pass();
    turn_wait(2);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    set(racy ? (int *)hidden_get(&address) : &mine, 2);
    turn_pass();
    return NULL;
}

int main(void) {
    mine = 3;
    RUN(first, second);
    return mine == 3 ? 0 : 1;
}
