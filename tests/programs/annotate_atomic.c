// SPDX-License-Identifier: Apache-2.0
// __tsan_acquire takes in what atomic operations at the address have released, and an atomic load what __tsan_release has: so programs
// stand in for fences. What was released at an address that was asked for before stays, also through a relaxed store. Racy: what is handed on is written after it.
// not recorded: a recording has no acquire of an atomic without an access
#include "tests/programs/invisible.h"

void __tsan_acquire(void *p);
void __tsan_release(void *p);

static int stored, told, heard;
int x;
int y;
int z;

THREAD(first) {
    if (!racy)
        x = y = z = 1;
    __atomic_store_n(&stored, 1, __ATOMIC_RELEASE);
    __tsan_release(&told);
    __atomic_store_n(&told, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&heard, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&heard, 2, __ATOMIC_RELAXED);
    if (racy) {
        x = 1; //@race X1 write 4
        y = 1; //@race Y1 write 4
        z = 1; //@race Z1 write 4
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(__atomic_load_n(&stored, __ATOMIC_RELAXED) == 1);
    __tsan_acquire(&stored);
    USE(x); //@race X2 read 4
    turn_pass();
    return NULL;
}

THREAD(third) {
    turn_wait(2);
    MUST(__atomic_load_n(&told, __ATOMIC_ACQUIRE) == 1);
    USE(y); //@race Y2 read 4
    return NULL;
}

THREAD(fourth) {
    turn_wait(2);
    MUST(__atomic_load_n(&heard, __ATOMIC_RELAXED) == 2);
    __tsan_acquire(&heard);
    USE(z); //@race Z2 read 4
    return NULL;
}

int main(void) {
    __tsan_acquire(&heard);
    RUN(first, second, third, fourth);
    return 0;
}
