// SPDX-License-Identifier: Apache-2.0
// A release fence covers what precedes it and not what follows it. Racy: y is written between fence and store; x is
// safe in both builds.
// flags gcc: -Wno-tsan (gcc warns that its own libtsan ignores fences)
// peer-skip: libtsan ignores fences
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x, y;

THREAD(first) {
    x = 1;
    if (!racy)
        y = 1;
    atomic_thread_fence(memory_order_release);
    if (racy)
        y = 1; //@race 1 write 4
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 1);
    USE(x);
    USE(y); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
