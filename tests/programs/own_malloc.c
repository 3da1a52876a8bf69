// SPDX-License-Identifier: Apache-2.0
// A program that has malloc, calloc and realloc of its own, around libc's, and no free (as one does that makes allocations fail): our free begins with what
// the linker allocated by them. Racy: two threads write into a block.
#include "tests/programs/invisible.h"
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);
static unsigned calls;

void *malloc(size_t n) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return __libc_malloc(n);
}

void *calloc(size_t count, size_t n) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return __libc_calloc(count, n);
}

void *realloc(void *p, size_t n) {
    __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    return __libc_realloc(p, n);
}

static char *block;

THREAD(first) {
    block[0] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    block[racy ? 0 : 1] = 1; //@race 2 write 1
    return NULL;
}

int main(void) {
    block = realloc(malloc(4), 100000);
    RUN(first, second);
    free(block);
    MUST(__atomic_load_n(&calls, __ATOMIC_RELAXED) >= 2);
}
