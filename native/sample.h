/* SPDX-License-Identifier: Apache-2.0
 *
 * Sampling: with the option `sample` only a share of the program's memory is checked.  Memory is chosen by lines of RT_SAMPLE_LINE
 * bytes, by a hash of the line's number and a seed: a line is checked all the time by all threads, or never.  Synchronization is
 * followed whole, and fresh memory is forgotten whole.  So a race of a chosen line is found as without sampling, and what is found is a race
 * (docs/concurrency.md, F.10).
 */
#ifndef GL_NATIVE_SAMPLE_H
#define GL_NATIVE_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line's cells are a quarter of a page of shadow: small enough that a program's variables are not chosen all or none, large enough
 * that much of the shadow stays untouched. */
#define RT_SAMPLE_SHIFT 8
#define RT_SAMPLE_LINE  (1ul << RT_SAMPLE_SHIFT)

/* Constant once the runtime is up. */
struct rt_sample {
    uint32_t limit; /* lines with a hash below it are checked; 0: all memory is */
    uint32_t seed;
};
extern struct rt_sample rt_sample;

/* As the options say; called once, before `up`. */
void rt_sample_init(void);
/* The closing line about it, if something was left out. */
void rt_sample_closing(void);

/* Is the line of `a` checked?  Any thread, any time after rt_sample_init(). */
static inline bool rt_sampled(uintptr_t a)
{
    /* One multiplication, by the golden ratio, which spreads neighbours evenly; over all
     * seeds each line is chosen equally often. */
    return rt_sample.limit == 0 ||
           (((a >> RT_SAMPLE_SHIFT) ^ rt_sample.seed) * 0x9E3779B97F4A7C15ull) >> 32 < rt_sample.limit;
}

/* The first byte of the next line. */
static inline uintptr_t rt_sample_next(uintptr_t a) { return (a | (RT_SAMPLE_LINE - 1)) + 1; }

#endif
