// SPDX-License-Identifier: Apache-2.0
// A release fence makes a later relaxed store publish what came before the fence. Racy: there is no fence.
// flags gcc: -Wno-tsan (gcc warns that its own libtsan ignores fences)
// peer-skip: libtsan ignores fences
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    if (!racy)
        atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
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
