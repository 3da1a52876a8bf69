// SPDX-License-Identifier: Apache-2.0
// Compilers treat consume as acquire, and so must a detector. Racy: the load is relaxed.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static _Atomic(int *) published;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    atomic_store_explicit(&published, &x, memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    int *p = atomic_load_explicit(&published, racy ? memory_order_relaxed : memory_order_consume);
    USE(*p); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
