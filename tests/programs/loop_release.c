// SPDX-License-Identifier: Apache-2.0
// A loop that gives away each element by a release of its own. Racy: what is read is not given away yet.
#include "tests/programs/invisible.h"
#include <stdatomic.h>

enum { ELEMENTS = 40, STOP = 20 };
int x[ELEMENTS];
atomic_int given, go_on;

static NOINLINE void fill(int n) {
    for (int i = 0; i < n; i++) {
        x[i] = i; //@race 1 write 4
        atomic_store_explicit(&given, i + 1, memory_order_release);
        while (i == STOP && !atomic_load_explicit(&go_on, memory_order_relaxed)) // orders nothing
            continue;
    }
}

THREAD(first) {
    fill(UNKNOWN(ELEMENTS));
    turn_pass();
    return NULL;
}

THREAD(second) {
    while (atomic_load_explicit(&given, memory_order_acquire) != STOP + 1)
        hidden_yield();
    atomic_store_explicit(&go_on, 1, memory_order_relaxed);
    turn_wait(1);
    USE(x[racy ? STOP + 1 : STOP]); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
