// SPDX-License-Identifier: Apache-2.0
// A stack of nodes joined by compare-and-swap. Racy: a push has relaxed order, so who pops reads the node's fields
// without order.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

struct node {
    _Alignas(8) int value;
    struct node *next;
};
static _Atomic(struct node *) top;
struct node nodes[2];

THREAD(pusher) {
    for (int i = 0; i < 2; i++) {
        struct node *n = &nodes[i];
        struct node *seen = atomic_load_explicit(&top, memory_order_relaxed);
        n->value = i; //@race A1 write 4
        n->next = seen; //@race B1 write 8
        MUST(atomic_compare_exchange_strong_explicit(&top, &seen, n, racy ? memory_order_relaxed : memory_order_release,
                                                     memory_order_relaxed));
    }
    turn_pass();
    return NULL;
}

THREAD(popper) {
    turn_wait(1);
    for (int i = 2; i-- > 0;) {
        struct node *n = atomic_load_explicit(&top, memory_order_acquire);
        struct node *next = n->next; //@race B2 read 8
        MUST(atomic_compare_exchange_strong_explicit(&top, &n, next, memory_order_acquire, memory_order_relaxed));
        USE(n->value); //@race A2 read 4
    }
    return NULL;
}

int main(void) {
    RUN(pusher, popper);
    return 0;
}
