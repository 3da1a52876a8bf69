/* SPDX-License-Identifier: Apache-2.0
 *
 * The truth about a random execution, for who makes one step by step: compiled without instrumentation, so that nothing here is seen.
 *
 * A vector clock for each thread, and for each byte the last plain and atomic read and write of each thread, with that thread's clock;
 * an access races if another thread's conflicting one is later than what the accessing thread knows of it.  A byte that has raced is
 * left out: what is promised is the first race of each.
 *
 * Who includes it defines TRUTH_THREADS and TRUTH_BYTES before.
 */
#ifndef TESTS_EXACT_TRUTH_H
#define TESTS_EXACT_TRUTH_H

#include "include/goldilocks/race.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { TRUTH_WRITE = 1, TRUTH_ATOMIC = 2, TRUTH_KINDS = 4 };

struct verdict {
    bool races; /* a byte that had not raced does */
    bool may;   /* one that had does, or may */
};

struct clock {
    unsigned of[TRUTH_THREADS];
};

static struct clock truth_clock[TRUTH_THREADS];
static unsigned truth_last[TRUTH_BYTES][TRUTH_THREADS][TRUTH_KINDS];
static bool truth_raced[TRUTH_BYTES];
static unsigned long truth_races; /* bytes, over all executions */
static volatile bool truth_told;

static inline void clock_merge(struct clock *into, const struct clock *from)
{
    for (unsigned u = 0; u < TRUTH_THREADS; u++)
        if (into->of[u] < from->of[u])
            into->of[u] = from->of[u];
}

/* What thread t does from here on is later than what was passed on. */
static inline void clock_step(unsigned t) { truth_clock[t].of[t]++; }

/* Thread t passes on all that it knows, with what is known there. */
static inline void clock_release(unsigned t, struct clock *c)
{
    clock_merge(c, &truth_clock[t]);
    clock_step(t);
}

/* Does thread t know all of that? */
static inline bool clock_known(unsigned t, const struct clock *c)
{
    for (unsigned u = 0; u < TRUTH_THREADS; u++)
        if (c->of[u] > truth_clock[t].of[u])
            return false;
    return true;
}

static inline void truth_forget(unsigned at, unsigned size)
{
    memset(truth_last[at], 0, size * sizeof truth_last[0]);
    memset(truth_raced + at, 0, size * sizeof truth_raced[0]);
}

static inline void truth_begin(void)
{
    memset(truth_clock, 0, sizeof truth_clock);
    truth_forget(0, TRUTH_BYTES);
    for (unsigned t = 0; t < TRUTH_THREADS; t++)
        truth_clock[t].of[t] = 1;
}

static inline bool truth_byte_races(unsigned t, unsigned at, unsigned kind)
{
    for (unsigned u = 0; u < TRUTH_THREADS; u++)
        for (unsigned k = 0; u != t && k < TRUTH_KINDS; k++)
            if (((kind | k) & TRUTH_WRITE) && !(kind & k & TRUTH_ATOMIC) && truth_last[at][u][k] > truth_clock[t].of[u])
                return true;
    return false;
}

/* An access of thread t, whose step's verdict is *v. */
static inline void truth_access(struct verdict *v, unsigned t, unsigned at, unsigned size, unsigned kind)
{
    for (unsigned end = at + size; at < end; at++) {
        v->may |= truth_raced[at];
        if (!truth_raced[at] && truth_byte_races(t, at, kind)) {
            truth_raced[at] = v->races = true;
            truth_races++;
        }
        truth_last[at][t][kind] = truth_clock[t].of[t];
    }
}

/* Was told during the step what the verdict says?  If not, that has been printed. */
static inline bool truth_holds(unsigned i, const struct verdict *v)
{
    if (truth_told == v->races || (truth_told && v->may))
        return true;
    printf("step %u: %s\n", i, truth_told ? "a race that is none" : "a race that was not found");
    return false;
}

static void truth_on_race(const struct goldilocks_race *race, void *ctx)
{
    (void)race;
    (void)ctx;
    truth_told = true;
}

/* Has the runtime told the handlers of races?  Sets ours. */
static inline bool truth_listen(void)
{
    if (!goldilocks_set_race_handler)
        return false;
    goldilocks_set_race_handler(truth_on_race, NULL);
    return true;
}

/* ---- random numbers: splitmix64 ---- */

static unsigned long truth_random;

static inline unsigned below(unsigned n)
{
    unsigned long z = truth_random += 0x9E3779B97F4A7C15ul;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ul;
    z = (z ^ z >> 27) * 0x94D049BB133111EBul;
    return (unsigned)((z ^ z >> 31) >> 32) % n;
}

#endif
