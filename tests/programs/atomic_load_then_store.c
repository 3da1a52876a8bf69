// SPDX-License-Identifier: Apache-2.0
// A load and then a store of one atomic, with nothing between that orders anything: the store is one more access, and of another kind. Of it the
// plain read of another thread is a race; of the load alone, in the twin, not. Of 4 bytes and of 8.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

_Alignas(8) atomic_int small;
_Alignas(8) atomic_long large;

THREAD(first) {
    USE(atomic_load_explicit(&small, memory_order_relaxed));
    USE(atomic_load_explicit(&large, memory_order_relaxed));
    if (racy) {
        atomic_store_explicit(&small, 1, memory_order_relaxed); //@race A1 atomic write 4
        atomic_store_explicit(&large, 1, memory_order_relaxed); //@race B1 atomic write 8
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(*(volatile int *)&small); //@race A2 read 4
    USE(*(volatile long *)&large); //@race B2 read 8
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
