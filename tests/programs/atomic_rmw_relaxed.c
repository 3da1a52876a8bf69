// SPDX-License-Identifier: Apache-2.0
// A relaxed read-modify-write passes on what others published, but nothing of its own thread. Racy: the thread between
// writes y and then uses relaxed order; in the twin it uses release order. x is safe in both.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int flag;
int x, y;

THREAD(first) {
    x = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(between) {
    turn_wait(1);
    y = 1; //@race 1 write 4
    atomic_fetch_add_explicit(&flag, 1, racy ? memory_order_relaxed : memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    MUST(atomic_load_explicit(&flag, memory_order_acquire) == 2);
    USE(x);
    USE(y); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, between, last);
    return 0;
}
