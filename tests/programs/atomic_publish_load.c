// SPDX-License-Identifier: Apache-2.0
// Only an acquire load learns what a release store published. Racy: the load is relaxed.
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
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, racy ? memory_order_relaxed : memory_order_acquire) == 1);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
