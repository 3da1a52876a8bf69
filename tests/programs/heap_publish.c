// SPDX-License-Identifier: Apache-2.0
// Fresh memory that one thread fills and hands to another. Racy: the pointer is handed over with relaxed order.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static int *published;

THREAD(first) {
    int *p = malloc(10 * sizeof *p);
    MUST(p);
    for (int i = 0; i < 10; i++)
        p[i] = i; //@race 1 write 4
    __atomic_store_n(&published, p, racy ? __ATOMIC_RELAXED : __ATOMIC_RELEASE);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    int *p = __atomic_load_n(&published, __ATOMIC_ACQUIRE);
    p[9] = 0; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    free(published);
    return 0;
}
