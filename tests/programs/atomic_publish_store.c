// SPDX-License-Identifier: Apache-2.0
// A release store publishes what came before it. Racy: the store is relaxed and publishes only itself.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    atomic_store_explicit(&flag, 1, racy ? memory_order_relaxed : memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
