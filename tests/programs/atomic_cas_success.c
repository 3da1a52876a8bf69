// SPDX-License-Identifier: Apache-2.0
// A compare-and-swap that succeeds has its success order. Racy: that is relaxed.
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
    int expected = 1;
    turn_wait(1);
    MUST(atomic_compare_exchange_strong_explicit(&flag, &expected, 2,
                                                 racy ? memory_order_relaxed : memory_order_acquire,
                                                 memory_order_relaxed));
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
