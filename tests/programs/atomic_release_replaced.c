// SPDX-License-Identifier: Apache-2.0
// A release store replaces what an earlier thread published: it publishes its own thread's past only. A release
// read-modify-write adds to it. Racy: the thread between stores; in the twin it adds.
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
        atomic_store_explicit(&flag, 2, memory_order_release);
    else
        atomic_fetch_or_explicit(&flag, 2, memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) & 2);
    x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, between, last);
    return 0;
}
