// SPDX-License-Identifier: Apache-2.0
// A ticket lock: who draws a number waits until it is served. Racy: a number is served with relaxed order.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
int x;

static void lock(void) {
    unsigned mine = atomic_fetch_add_explicit(&next_ticket, 1, memory_order_relaxed);
    while (atomic_load_explicit(&now_serving, memory_order_acquire) != mine)
        hidden_yield();
}

static void unlock(void) {
    unsigned mine = atomic_load_explicit(&now_serving, memory_order_relaxed);
    atomic_store_explicit(&now_serving, mine + 1, racy ? memory_order_relaxed : memory_order_release);
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
