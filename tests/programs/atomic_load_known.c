// SPDX-License-Identifier: Apache-2.0
// A thread that waits for an atomic loads what it knows many times before there is something new, and must then find that. One hands over
// two hundred variables to the other, which waits by acquiring loads, and two hundred that it waits for by relaxed loads and a fence. Racy: each
// second one is told relaxedly, which hands over nothing, though the one before was.
// peer-skip: libtsan does not follow fences
// report: ^Goldilocks: 200 races happened on 2 pairs of stacks$
#include "tests/programs/invisible.h"
#include <stdatomic.h>

enum { ROUNDS = 200 };
struct {
    _Alignas(8) int acquired, fenced;
} slot[ROUNDS + 1];
static atomic_long flag = 1, back = 1;

// Each value is one more than the last.
#define TELL(to, value, order)                                                                                         \
    switch (value / 4 % 4) {                                                                                           \
    case 0: atomic_store_explicit(to, value, order); break;                                                            \
    case 1: atomic_fetch_add_explicit(to, 1, order); break;                                                            \
    case 2: atomic_exchange_explicit(to, value, order); break;                                                         \
    default: {                                                                                                         \
        long was = value - 1;                                                                                          \
        MUST(atomic_compare_exchange_strong_explicit(to, &was, value, order, memory_order_relaxed));                   \
    }                                                                                                                  \
    }

static void tell(atomic_long *to, long value, int round) {
    if (racy && round % 2) {
        TELL(to, value, memory_order_relaxed)
    } else {
        TELL(to, value, memory_order_release)
    }
}

THREAD(first) {
    for (int i = 1; i <= ROUNDS; i++) {
        slot[i].acquired = i; //@race A1 write 4
        tell(&flag, 2 * i, i);
        while (atomic_load_explicit(&back, memory_order_acquire) != 2 * i)
            ;
        slot[i].fenced = i; //@race B1 write 4
        tell(&flag, 2 * i + 1, i);
        while (atomic_load_explicit(&back, memory_order_acquire) != 2 * i + 1)
            ;
    }
    return NULL;
}

THREAD(second) {
    for (int i = 1; i <= ROUNDS; i++) {
        while (atomic_load_explicit(&flag, memory_order_acquire) != 2 * i)
            ;
        USE(slot[i].acquired); //@race A2 read 4
        tell(&back, 2 * i, 0);
        while (atomic_load_explicit(&flag, memory_order_relaxed) != 2 * i + 1)
            ;
        atomic_thread_fence(memory_order_acquire);
        USE(slot[i].fenced); //@race B2 read 4
        tell(&back, 2 * i + 1, 0);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
