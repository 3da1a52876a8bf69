/* SPDX-License-Identifier: Apache-2.0
 *
 * Vector clocks (Mattern 1988, Fidge 1988): for each thread a number, the latest of its epochs that is known.
 * A clock grows to the highest thread number that it has met; there is no other limit than GL_CLOCK_THREADS.
 *
 * The numbers lie eight to a vector register.  On x86-64 the operations use AVX2 where the processor has it
 * (found out once, when the library is first used) and SSE2 elsewhere; on other processors whatever the compiler
 * makes of a loop over eight numbers.  One call at a time per clock.
 */
#ifndef GL_PEERS_CLOCK_H
#define GL_PEERS_CLOCK_H

#include <stdbool.h>

#include "peers/pool.h"

#define GL_CLOCK_THREADS (1u << 24)       /* thread numbers are below */
#define GL_CLOCK_MAX     ((1u << 31) - 1) /* epochs are not above: as signed numbers they compare the same */
#define GL_CLOCK_LANES   8u
#define GL_CLOCK_NONE    UINT32_MAX

/* Invariant: n <= cap; both are multiples of GL_CLOCK_LANES; at[n..cap) is anything and counts as 0. */
struct gl_clock {
    uint32_t *at; /* aligned to 16 bytes; NULL when cap == 0 */
    uint32_t n, cap;
};

/* An epoch of a thread in one word, thread << 32 | number.  Numbers start at 1, so 0 is no epoch: it is
 * ordered before everything. */
static inline uint64_t gl_epoch(uint32_t thread, uint32_t number) { return (uint64_t)thread << 32 | number; }
static inline uint32_t gl_epoch_thread(uint64_t epoch) { return (uint32_t)(epoch >> 32); }

static inline uint32_t gl_clock_get(const struct gl_clock *c, uint32_t thread)
{
    return thread < c->n ? c->at[thread] : 0;
}

/* Is the epoch, exported by its thread, known to whose clock this is?  (c->n > 0.) */
static inline bool gl_clock_knows(const struct gl_clock *c, uint64_t epoch)
{
    uint32_t thread = gl_epoch_thread(epoch);
    return thread < c->n && c->at[thread] >= (uint32_t)epoch;
}

/* What cap is after gl_clock_reserve(c, pool, n): for arrays that go along with the numbers. */
uint32_t gl_clock_cap(const struct gl_clock *c, uint32_t n);

/* Room for, and zeros up to, thread number n - 1 (n <= GL_CLOCK_THREADS).  False: no memory; the clock is unchanged. */
bool gl_clock_reserve(struct gl_clock *c, struct gl_pool *pool, uint32_t n);

/* to := the maximum of both, thread by thread.  False: no memory; `to` is unchanged. */
bool gl_clock_join(struct gl_clock *to, struct gl_pool *pool, const struct gl_clock *from);

/* to := from.  False: no memory; `to` is unchanged. */
bool gl_clock_copy(struct gl_clock *to, struct gl_pool *pool, const struct gl_clock *from);

/* The lowest thread whose number in `a` is larger than in `b`, of those from `first` (rounded down to a multiple of
 * GL_CLOCK_LANES) on; GL_CLOCK_NONE: there is none.  With first == 0 that is a <= b. */
uint32_t gl_clock_above(const struct gl_clock *a, const struct gl_clock *b, uint32_t first);

/* Gives its memory back; the clock is empty, and may be used again. */
void gl_clock_fini(struct gl_clock *c, struct gl_pool *pool);

#endif
