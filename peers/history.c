/* SPDX-License-Identifier: Apache-2.0
 *
 * See history.h.
 */
#include "peers/history.h"

#include <string.h>

/* Room for n threads.  False: no memory; unchanged. */
static bool reserve(struct gl_clock *c, struct gl_pool *pool, uint32_t n)
{
    uint32_t cap = gl_clock_cap(c, n);
    if (cap > c->cap) {
        uint32_t *at = gl_pool_take(pool, 2 * cap * sizeof *at);
        if (!at)
            return false;
        if (c->cap) {
            memcpy(at, c->at, c->n * sizeof *at);
            memcpy(at + cap, c->at + c->cap, c->n * sizeof *at);
            gl_pool_give(pool, c->at, 2 * c->cap * sizeof *at);
        }
        c->at = at;
        c->cap = cap;
    }
    return gl_clock_reserve(c, pool, n); /* there is room: only the numbers from c->n on become 0 */
}

bool gl_history_note(struct gl_history *h, struct gl_pool *pool, uint64_t epoch, uint32_t site)
{
    struct gl_clock *c = &h->clock;
    uint32_t thread = gl_epoch_thread(epoch);
    if (thread >= c->n && !reserve(c, pool, thread + 1))
        return false;
    c->at[thread] = (uint32_t)epoch;
    c->at[c->cap + thread] = site;
    return true;
}

bool gl_history_copy(struct gl_history *to, struct gl_pool *pool, const struct gl_history *from)
{
    const struct gl_clock *c = &from->clock;
    if (!c->n)
        return true;
    if (!reserve(&to->clock, pool, c->n))
        return false;
    memcpy(to->clock.at, c->at, c->n * sizeof *c->at);
    memcpy(to->clock.at + to->clock.cap, c->at + c->cap, c->n * sizeof *c->at);
    return true;
}

void gl_history_fini(struct gl_history *h, struct gl_pool *pool)
{
    gl_pool_give(pool, h->clock.at, 2 * h->clock.cap * sizeof *h->clock.at);
    *h = (struct gl_history){0};
}
