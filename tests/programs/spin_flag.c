// SPDX-License-Identifier: Apache-2.0
// A spin lock made of an atomic_flag. Racy: it is cleared with relaxed order, which releases nothing.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
int x;

static void lock(void) {
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
        hidden_yield();
}

static void unlock(void) {
    atomic_flag_clear_explicit(&busy, racy ? memory_order_relaxed : memory_order_release);
}

THREAD(first) {
    lock();
    x = 1; //@race 1 write 4
    unlock();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    lock();
    x = 2; //@race 2 write 4
    unlock();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
