// SPDX-License-Identifier: Apache-2.0
// Atomics of 1, 2, 4 and 8 bytes publish alike, and neighbours in one word are different objects. Racy: each thread
// looks at the neighbour of the flag that was set for it.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

static struct {
    _Atomic unsigned char a[2];
    _Atomic unsigned short b[2];
    _Atomic unsigned c[2];
    _Atomic unsigned long d[2];
} flag;
_Alignas(8) int w, x;
_Alignas(8) int y, z;

THREAD(first) {
    w = 1; //@race A1 write 4
    atomic_store_explicit(&flag.a[0], 1, memory_order_release);
    x = 1; //@race B1 write 4
    atomic_store_explicit(&flag.b[0], 1, memory_order_release);
    y = 1; //@race C1 write 4
    atomic_store_explicit(&flag.c[0], 1, memory_order_release);
    z = 1; //@race D1 write 4
    atomic_store_explicit(&flag.d[0], 1, memory_order_release);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    (void)atomic_load_explicit(&flag.a[racy], memory_order_acquire);
    USE(w); //@race A2 read 4
    (void)atomic_load_explicit(&flag.b[racy], memory_order_acquire);
    USE(x); //@race B2 read 4
    (void)atomic_load_explicit(&flag.c[racy], memory_order_acquire);
    USE(y); //@race C2 read 4
    (void)atomic_load_explicit(&flag.d[racy], memory_order_acquire);
    USE(z); //@race D2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
