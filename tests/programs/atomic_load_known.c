// SPDX-License-Identifier: Apache-2.0
// A thread that waits for an atomic loads what it knows many times before there is something new, and must then find that. One hands over
// two hundred variables to the other, which waits by acquiring loads, and two hundred that it waits for by relaxed loads and a fence. Racy: each
// second store is relaxed, which hands over nothing, though the store before it did.
// peer-skip: libtsan does not follow fences
// report: ^Goldilocks: 200 races happened on 2 pairs of stacks$
#include "tests/programs/invisible.h"
#include <stdatomic.h>

enum { ROUNDS = 200 };
struct {
    _Alignas(8) int acquired, fenced;
} slot[ROUNDS + 1];
static atomic_long flag, back;

static void tell(atomic_long *to, long value, int round) {
    if (racy && round % 2)
        atomic_store_explicit(to, value, memory_order_relaxed);
    else
        atomic_store_explicit(to, value, memory_order_release);
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
        atomic_store_explicit(&back, 2 * i, memory_order_release);
        while (atomic_load_explicit(&flag, memory_order_relaxed) != 2 * i + 1)
            ;
        atomic_thread_fence(memory_order_acquire);
        USE(slot[i].fenced); //@race B2 read 4
        atomic_store_explicit(&back, 2 * i + 1, memory_order_release);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
