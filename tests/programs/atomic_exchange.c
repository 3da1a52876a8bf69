// SPDX-License-Identifier: Apache-2.0
// An exchange with acq_rel order both learns and publishes: the order runs through a chain of three threads. Racy: the
// one in the middle only releases, so it has learned nothing that it could use.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_int a;
int x, y;

THREAD(first) {
    x = 1; //@race 1 write 4
    MUST(atomic_exchange_explicit(&a, 1, memory_order_release) == 0);
    turn_pass();
    return NULL;
}

THREAD(middle) {
    turn_wait(1);
    y = 1;
    MUST(atomic_exchange_explicit(&a, 2, racy ? memory_order_release : memory_order_acq_rel) == 1);
    USE(x); //@race 2 read 4
    turn_pass();
    return NULL;
}

THREAD(last) {
    turn_wait(2);
    MUST(atomic_exchange_explicit(&a, 3, memory_order_acquire) == 2);
    USE(y);
    return NULL;
}

int main(void) {
    RUN(first, middle, last);
    return 0;
}
