// SPDX-License-Identifier: Apache-2.0
// An acquire fence learns what an earlier relaxed load saw published. Racy: the fence comes before the load.
// flags gcc: -Wno-tsan (gcc warns that its own libtsan ignores fences)
// peer-skip: libtsan ignores fences
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
    if (racy)
        atomic_thread_fence(memory_order_acquire);
    MUST(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
    if (!racy)
        atomic_thread_fence(memory_order_acquire);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
