// SPDX-License-Identifier: Apache-2.0
// Since C++20 a relaxed store ends what the same thread has published there. Racy: it does; in the twin it is a read-modify-write.
// peer-skip: to libtsan every relaxed store goes on
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    atomic_store_explicit(&flag, 1, memory_order_release);
    if (racy)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    else
        MUST(atomic_exchange_explicit(&flag, 2, memory_order_relaxed) == 1);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(1);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 2);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, last);
    return 0;
}
