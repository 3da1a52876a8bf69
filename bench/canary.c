/* SPDX-License-Identifier: Apache-2.0
 *
 * A race that always happens: two threads, never ordered, write the same word.  Before a tool's times
 * count, bench/run sees it report this one, in a program built and linked exactly as the measured
 * ones: a runtime that was not loaded, or checks nothing, would otherwise win the table.
 */
#include "bench/kernels/kernel.h"

static size_t word;

static void *write_word(void *self)
{
    word = (size_t)self;
    return NULL;
}

int main(void)
{
    kernel_threads(2, write_word);
    printf("canary %s\n", word < 2 ? "alive" : "?");
    return 0;
}
