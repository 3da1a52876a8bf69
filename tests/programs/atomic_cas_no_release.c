// SPDX-License-Identifier: Apache-2.0
// A compare-and-swap that fails writes nothing, so it publishes nothing. Racy: it fails.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    int expected = racy ? 7 : 0;
    x = 1; //@race 1 write 4
    _Bool done = atomic_compare_exchange_strong_explicit(&flag, &expected, 1, memory_order_acq_rel, memory_order_acquire);
    MUST(done == !racy);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == !racy);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
