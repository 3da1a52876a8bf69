// SPDX-License-Identifier: Apache-2.0
// A compare-and-swap that fails is a load with the failure order. Racy: that is relaxed, although the success order is
// acquire. gcc and old compilers' runtimes differ in how they pass the two orders.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    atomic_store_explicit(&flag, 1, memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(second) {
    int expected = 7;
    turn_wait(1);
    MUST(!atomic_compare_exchange_strong_explicit(&flag, &expected, 2, memory_order_acquire,
                                                  racy ? memory_order_relaxed : memory_order_acquire));
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
