// SPDX-License-Identifier: Apache-2.0
// calloc and malloc blocks in a loop: every thread uses its own blocks, freed and given out again all the time. Racy:
// one block is written by two of them.
#include "tests/programs/invisible.h"
#include <stdlib.h>

static int *block;

static NOINLINE void churn(void) {
    for (int i = 0; i < 300; i++) {
        size_t n = 1 + (size_t)i % 40;
        int *p = calloc(n, sizeof *p);
        int *q = malloc(n * sizeof *q);
        MUST(p && q && p[n - 1] == 0);
        p[n - 1] = q[0] = i;
        USE(p[0]);
        free(p);
        free(q);
    }
}

THREAD(first) {
    churn();
    block[3] = 1; //@race 1 write 4
    turn_pass();
    churn();
    return NULL;
}

THREAD(second) {
    churn();
    turn_wait(1);
    if (racy)
        block[3] = 2; //@race 2 write 4
    churn();
    return NULL;
}

THREAD(other) {
    churn();
    return NULL;
}

int main(void) {
    block = calloc(10, sizeof *block);
    MUST(block);
    RUN(first, second, other, other);
    free(block);
    return 0;
}
