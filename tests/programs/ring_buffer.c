// SPDX-License-Identifier: Apache-2.0
// A ring for one producer and one consumer: `tail` hands items over, `head` hands free places back. Racy: the tail is
// stored with relaxed order, so an item is read without order; the places are handed back properly in both builds.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

enum { PLACES = 2 };
static atomic_uint head, tail;
long item[PLACES];

static NOINLINE void put(long value) {
    unsigned at = atomic_load_explicit(&tail, memory_order_relaxed);
    MUST(at - atomic_load_explicit(&head, memory_order_acquire) < PLACES);
    item[at % PLACES] = value; //@race 1 write 8
    atomic_store_explicit(&tail, at + 1, racy ? memory_order_relaxed : memory_order_release);
}

static NOINLINE long get(void) {
    unsigned at = atomic_load_explicit(&head, memory_order_relaxed);
    MUST(atomic_load_explicit(&tail, memory_order_acquire) != at);
    long value = item[at % PLACES]; //@race 2 read 8
    atomic_store_explicit(&head, at + 1, memory_order_release);
    return value;
}

THREAD(producer) {
    for (unsigned i = 0; i < 6; i++) {
        if (i % PLACES == 0)
            turn_wait(i);
        put(i);
        if (i % PLACES == 1)
            turn_pass();
    }
    return NULL;
}

THREAD(consumer) {
    for (unsigned i = 0; i < 6; i++) {
        if (i % PLACES == 0)
            turn_wait(i + 1);
        MUST(get() == i);
        if (i % PLACES == 1)
            turn_pass();
    }
    return NULL;
}

int main(void) {
    RUN(producer, consumer);
    return 0;
}
