// SPDX-License-Identifier: Apache-2.0
// Who freed a page that nobody used since, and where, is remembered when its thread has ended and segments are swept and used
// again. The report says how long the block was and who allocated it. Twin: the block is allocated again before the use.
// options: sweep_segments=1
// report: Previous free of size 48000 .*by thread T1
// report: heap block of size 48000 .*allocated by main thread:\n *#0 main
// report: Thread T1 .*finished.*created by
#include "tests/programs/sections.h"
#include <limits.h>
#include <malloc.h>
#include <stdlib.h>

enum { LONGS = 6000, ROUNDS = 1000 };
static long *block, owner_id;

THREAD(owner) {
    hidden_sign(&owner_id);
    turn_wait(1);
    free(block); //@race 1 free *
    return NULL;
}

THREAD(user) {
    free(UNKNOWN(malloc(1))); // what libc allocates for a thread is there before the block is free
    turn_pass();
    hidden_wait_signed_gone(&owner_id);
    for (int i = 0; i < ROUNDS; i++)
        section(NULL);
    long *p = UNKNOWN(block);
    if (!racy) {
        p = UNKNOWN(malloc(LONGS * sizeof *p)); // compilers know that it is no other block
        MUST(p == block);
    }
    USE(p[LONGS / 2]); //@race 2 read 8
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
