// SPDX-License-Identifier: Apache-2.0
// Two fences order through a relaxed store and a relaxed load. A fence for signal handlers is no fence between
// threads. Racy: the release fence is one for signal handlers.
// flags gcc: -Wno-tsan (gcc warns that its own libtsan ignores fences)
// peer-skip: libtsan ignores fences
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    if (racy)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, memory_order_relaxed) == 1);
    atomic_thread_fence(memory_order_acquire);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
