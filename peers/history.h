/* SPDX-License-Identifier: Apache-2.0
 *
 * A history: for each thread, the epoch of its last access of one kind, and where it was.  A vector clock with
 * sites.  Empty costs nothing.
 */
#ifndef GL_PEERS_HISTORY_H
#define GL_PEERS_HISTORY_H

#include "peers/clock.h"

struct gl_history {
    struct gl_clock clock; /* the epochs; behind them in the same block, from at[cap] on, the sites */
};

static inline uint32_t gl_history_site(const struct gl_history *h, uint32_t thread)
{
    return h->clock.at[h->clock.cap + thread];
}

/* The thread's last access is the one of this epoch, at this site.  False: no memory; unchanged. */
bool gl_history_note(struct gl_history *h, struct gl_pool *pool, uint64_t epoch, uint32_t site);

/* to := from; *to is empty.  False: no memory; it still is. */
bool gl_history_copy(struct gl_history *to, struct gl_pool *pool, const struct gl_history *from);

/* Forgets everything and gives the memory back. */
void gl_history_fini(struct gl_history *h, struct gl_pool *pool);

/* A thread whose last access is not known to `now`; GL_CLOCK_NONE: all are. */
static inline uint32_t gl_history_unordered(const struct gl_history *h, const struct gl_clock *now)
{
    return h->clock.n ? gl_clock_above(&h->clock, now, 0) : GL_CLOCK_NONE;
}

#endif
