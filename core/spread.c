/* SPDX-License-Identifier: Apache-2.0
 *
 * Spread records, see spread.h.
 */
#include "core/spread.h"

_Static_assert(sizeof(struct gl_spread_line) == 64, "a cache line");

void gl_spreads_init(struct gl_spreads *s, const struct gl_env *env)
{
    s->env = env;
    s->used = 1;
}

void gl_spreads_fini(struct gl_spreads *s)
{
    struct gl_spread *all = gl_load_relaxed(&s->all);
    if (all)
        s->env->unmap(s->env->ctx, all, GL_SPREADS * sizeof *all);
}

static struct gl_spread_line *lines_of(struct gl_spreads *s, uint32_t number)
{
    return gl_load_acquire(&s->all)[number].line; /* pairs with spread_take() */
}

/* A number; 0: none left, or no memory. */
static uint32_t spread_take(struct gl_spreads *s)
{
    uint32_t number = 0;
    gl_lock_take(&s->lock, s->env);
    if (!gl_load_relaxed(&s->all)) /* written under the lock only */
        gl_store_release(&s->all, s->env->map(s->env->ctx, GL_SPREADS * sizeof(struct gl_spread))); /* pairs with lines_of() */
    if (s->n_free)
        number = s->free[--s->n_free];
    else if (gl_load_relaxed(&s->all) && s->used < GL_SPREADS)
        number = s->used++;
    gl_lock_drop(&s->lock);
    return number;
}

bool gl_spread_make(struct gl_spreads *s, struct gl_side *r, const uint32_t *slot)
{
    uint32_t number = spread_take(s);
    if (!number)
        return false;
    struct gl_spread_line *line = lines_of(s, number);
    for (uint32_t i = 0; i < GL_SPREAD_THREADS; i++) {
        gl_store_relaxed(&line[i].half, 0); /* not published; `busy` is its thread's even now */
        line[i].asked = 0;
    }
    for (uint32_t i = 0; i < r->n_reads; i++) {
        gl_store_relaxed(&line[slot[i]].half, r->entry[r->n_writes + i].half); /* not published */
        gl_store_relaxed(&line[slot[i]].site, r->entry[r->n_writes + i].site);
    }
    gl_side_set_counts(r, r->n_writes, 0);
    gl_store_release(&r->spread, number); /* pairs with gl_spread_read() */
    return true;
}

void gl_spread_gather(struct gl_spreads *s, struct gl_side *r)
{
    uint32_t number = gl_load_relaxed(&r->spread), reads = 0; /* under the cell's lock */
    struct gl_spread_line *line = lines_of(s, number);
    s->env->fence(s->env->ctx); /* pairs with gl_spread_read(): it sees the lock, or we see `busy` */
    for (uint32_t i = 0; i < GL_SPREAD_THREADS; i++) {
        for (unsigned n = 0; gl_load_acquire(&line[i].busy); n++) /* pairs with gl_spread_read() */
            s->env->pause(s->env->ctx, n);
        uint32_t half = gl_load_relaxed(&line[i].half); /* nobody changes it now */
        if (half)
            r->entry[r->n_writes + reads++] = (struct gl_entry){half, gl_load_relaxed(&line[i].site)};
    }
    gl_side_set_counts(r, r->n_writes, reads);
    gl_store_relaxed(&r->spread, 0); /* under the cell's lock */
    r->rereads = 0;
    gl_lock_take(&s->lock, s->env);
    s->free[s->n_free++] = number;
    gl_lock_drop(&s->lock);
}

uint32_t gl_spread_half(struct gl_spreads *s, const struct gl_side *r, uint32_t i)
{
    return gl_load_relaxed(&lines_of(s, gl_load_relaxed(&r->spread))[i].half); /* relaxed: nobody changes either now */
}

/* The line of a thread, which nobody else changes now. */
static bool line_set(struct gl_spread_line *line, uint32_t mine, uint32_t site)
{
    uint32_t old = gl_load_relaxed(&line->half);
    if ((old ^ mine) <= 0xF && !(mine & ~old & 0xF))
        return true; /* of this segment, and all bytes are there */
    if (old & ~mine & 0xF)
        return false; /* bytes that this access has not */
    gl_store_relaxed(&line->half, mine);
    gl_store_relaxed(&line->site, site);
    return true;
}

bool gl_spread_put(struct gl_spreads *s, struct gl_side *r, uint32_t slot, uint32_t mine, uint32_t site)
{
    struct gl_spread_line *line = &lines_of(s, gl_load_relaxed(&r->spread))[slot]; /* under the cell's lock */
    if (!line_set(line, mine, site))
        return false;
    line->asked |= mine & 0xF;
    return true;
}

bool gl_spread_read(struct gl_spreads *s, struct gl_side *r, struct gl_cell cell, uint64_t word, uint32_t slot, uint32_t mine,
                    uint32_t site)
{
    uint32_t number = gl_load_acquire(&r->spread); /* pairs with gl_spread_make() */
    if (!number || slot >= GL_SPREAD_THREADS)
        return false;
    struct gl_spread_line *line = &lines_of(s, number)[slot];
    gl_store_relaxed(&line->busy, 1);
    atomic_signal_fence(memory_order_seq_cst); /* pairs with gl_spread_gather(): the processor's part is its fence */
    bool same = gl_load_acquire(cell.word) == word && gl_load_acquire(&r->spread) == number; /* pairs with gl_cell_unlock() */
    bool done = same && !(mine & ~line->asked & 0xF) && line_set(line, mine, site);
    gl_store_release(&line->busy, 0); /* pairs with gl_spread_gather() */
    return done;
}
