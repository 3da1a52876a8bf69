// SPDX-License-Identifier: Apache-2.0
// As C and C++ up to 17 have it, a relaxed store of the same thread goes on with what that published. Racy: another thread's does not.
// options: release_sequence=c17
// peer-skip: to libtsan every relaxed store goes on
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (!racy)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    turn_pass();
    return NULL;
}

THREAD(between) {
    turn_wait(1);
    if (racy)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 2);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, between, last);
    return 0;
}
