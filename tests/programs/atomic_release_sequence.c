// SPDX-License-Identifier: Apache-2.0
// A relaxed read-modify-write of another thread continues the release sequence, so a later acquire load still learns
// what the release store published. Racy: a relaxed store takes its place and cuts the sequence.
// peer-skip: libtsan lets the release sequence go on across a relaxed store
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

THREAD(between) {
    turn_wait(1);
    if (racy)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    else
        atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 2);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, between, last);
    return 0;
}
