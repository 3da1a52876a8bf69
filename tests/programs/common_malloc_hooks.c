// SPDX-License-Identifier: Apache-2.0
//
// Hooks of malloc and free are code of the program: they run for each block, outside of the runtime, so that what they touch is
// checked; what they allocate is told to no hook. Racy: two threads' hooks write the same variable.
// output: 1 told allocated 3 freed 3
#include "tests/programs/invisible.h"

#include <stdio.h>
#include <stdlib.h>

int __sanitizer_install_malloc_and_free_hooks(void (*allocated)(const volatile void *, size_t), void (*freed)(const volatile void *));

int last;
static _Thread_local volatile int counted; // compilers take malloc for a function that does not read it
static int allocations, frees;
static size_t told;

static void allocated(const volatile void *p, size_t n)
{
    if (!counted)
        return;
    USE(p);
    free(malloc(7)); // not told
    __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&told, n, __ATOMIC_RELAXED);
    if (counted == 2)
        last = 1; //@race 1 write 4; 2 write 4
}

static void freed(const volatile void *p)
{
    USE(p);
    if (counted)
        __atomic_fetch_add(&frees, 1, __ATOMIC_RELAXED);
}

static void allocate(size_t n)
{
    counted = racy ? 2 : 1;
    void *volatile p = malloc(n);
    free(p);
    counted = 0;
}

THREAD(first)
{
    allocate(40);
    turn_pass();
    return NULL;
}

THREAD(second)
{
    turn_wait(1);
    allocate(41);
    return NULL;
}

int main(void)
{
    MUST(__sanitizer_install_malloc_and_free_hooks(allocated, freed) == 1);
    MUST(__sanitizer_install_malloc_and_free_hooks(NULL, freed) == 0);
    RUN(first, second);
    counted = 1;
    void *volatile p = calloc(1, 42);
    free(p);
    counted = 0;
    MUST(told == 40 + 41 + 42);
    printf("%d told allocated %d freed %d\n", told == 40 + 41 + 42, allocations, frees);
    return 0;
}
