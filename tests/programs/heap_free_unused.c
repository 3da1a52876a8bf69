// SPDX-License-Identifier: Apache-2.0
// The free of a block of which most was never used conflicts with a later use of any of it. Twin: the block is allocated again
// before the use, so that it is another one; its owners are in no order that can be seen.
// report: Previous free of size 96000 .*by thread T1
// report: heap block of size 96000 .*allocated by main thread:\n *#0 main
#include "tests/programs/invisible.h"
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>

enum { LONGS = 12000 };
static long *block;

THREAD(owner) {
    turn_wait(1);
    free(block); //@race 1 free *
    turn_pass();
    return NULL;
}

THREAD(user) {
    free(UNKNOWN(malloc(1))); // what libc allocates for a thread is there before the block is free
    turn_pass();
    turn_wait(2);
    long *p = UNKNOWN(block);
    if (!racy) {
        p = UNKNOWN(malloc(LONGS * sizeof *p)); // compilers know that it is no other block
        MUST(p == block);
    }
    USE(p[LONGS / 2]); //@race 2 read 8
    for (int i = 100; i < LONGS; i += 100)
        if (!racy)
            p[i] = i;
    if (!racy)
        free(p);
    return NULL;
}

int main(void) {
    mallopt(M_ARENA_MAX, 1); // what is freed stays where it is, and is given out again
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    MUST(UNKNOWN(malloc(LONGS * sizeof *block))); // kept: what libc frees before it joins no free block with ours
    block = malloc(LONGS * sizeof *block);
    MUST(block);
    block[10] = 1;
    RUN(owner, user);
    return 0;
}
