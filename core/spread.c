/* SPDX-License-Identifier: Apache-2.0
 *
 * Spread records, see spread.h.
 */
#include "core/spread.h"

_Static_assert(sizeof(struct gl_spread_line) == 64, "a cache line");

_Static_assert(16u << 3 * (GL_SPREAD_SIZES - 1) == GL_SPREAD_THREADS_MOST && GL_SPREAD_THREADS_MOST <= GL_SPREAD_SLAB, "a slab holds the largest");

void gl_spreads_init(struct gl_spreads *s, const struct gl_env *env)
{
    s->env = env;
    s->used = 1;
}

void gl_spreads_fini(struct gl_spreads *s)
{
    for (uint32_t i = 0; i < s->slabs; i++)
        s->env->unmap(s->env->ctx, s->slab[i], GL_SPREAD_SLAB * sizeof *s->slab[i]);
}

static uint32_t size_of(unsigned at) { return 16u << 3 * at; }

/* The place of the smallest size for so many. */
static unsigned place_of(uint32_t threads)
{
    unsigned at = 0;
    while (at + 1 < GL_SPREAD_SIZES && size_of(at) < threads)
        at++;
    return at;
}

uint32_t gl_spread_size(uint32_t threads) { return size_of(place_of(threads)); }

/* The record that has this record's reads, under the cell's lock. */
static const struct gl_spread *spread_of(const struct gl_spreads *s, const struct gl_side *r)
{
    return &s->all[gl_load_relaxed(&r->spread)]; /* relaxed: nobody changes it now */
}

/* Under the lock; NULL: no memory, or no more is to be used. */
static struct gl_spread_line *lines_take(struct gl_spreads *s, uint32_t n)
{
    if (s->slab_left < n) {
        if (s->slabs == GL_SPREAD_SLABS)
            return NULL;
        struct gl_spread_line *slab = s->env->map(s->env->ctx, GL_SPREAD_SLAB * sizeof *slab);
        if (!slab)
            return NULL;
        s->slab[s->slabs++] = slab;
        s->slab_left = GL_SPREAD_SLAB;
    }
    s->slab_left -= n;
    return s->slab[s->slabs - 1] + s->slab_left;
}

/* The number of a record of the size at this place; 0: none left, or no memory. */
static uint32_t spread_take(struct gl_spreads *s, unsigned at)
{
    gl_lock_take(&s->lock, s->env);
    uint32_t number = s->free[at];
    if (number) {
        s->free[at] = s->all[number].next_free;
    } else if (s->used < GL_SPREADS) {
        struct gl_spread_line *line = lines_take(s, size_of(at));
        if (line) {
            number = s->used++;
            s->all[number] = (struct gl_spread){.line = line, .threads = size_of(at)};
        }
    }
    gl_lock_drop(&s->lock);
    return number;
}

/* Its lines say nothing any more. */
static void spread_give(struct gl_spreads *s, uint32_t number)
{
    uint32_t *list = &s->free[place_of(s->all[number].threads)];
    gl_lock_take(&s->lock, s->env);
    s->all[number].next_free = *list;
    *list = number;
    gl_lock_drop(&s->lock);
}

/* But for `busy`, which is its thread's even now.  A line that nobody used is not written: most of a large record may have no memory. */
static void line_clear(struct gl_spread_line *line)
{
    for (uint32_t k = 0; k < line->used; k++)
        gl_store_relaxed(&line->read[k].half, 0); /* relaxed: under the cell's lock, or not published */
    if (line->used)
        line->used = 0;
    if (line->asked)
        line->asked = 0;
}

void gl_spread_drop(struct gl_spreads *s, uint32_t number)
{
    for (uint32_t i = 0; i < s->all[number].threads; i++)
        line_clear(&s->all[number].line[i]);
    spread_give(s, number);
}

/* In a line that nobody has yet; false: it has a read of one of these bytes, or as many as it can have. */
static bool line_add(struct gl_spread_line *line, struct gl_entry e)
{
    for (uint32_t k = 0; k < line->used; k++)
        if (gl_load_relaxed(&line->read[k].half) & e.half & 0xF) /* relaxed, here and below: not published */
            return false;
    if (line->used == GL_SPREAD_READS)
        return false;
    gl_store_relaxed(&line->read[line->used].half, e.half);
    gl_store_relaxed(&line->read[line->used++].site, e.site);
    return true;
}

uint32_t gl_spread_make(struct gl_spreads *s, const struct gl_side *r, struct gl_segments *segments, uint32_t size)
{
    uint32_t number = spread_take(s, place_of(size));
    const struct gl_spread *to = &s->all[number];
    for (uint32_t i = 0; i < r->n_reads && number; i++) {
        struct gl_entry e = r->entry[r->n_writes + i];
        uint32_t slot = gl_batch_of(segments, gl_half_segment(e.half))->slot;
        if ((e.half & GL_HALF_ATOMIC) || slot >= to->threads || !line_add(&to->line[slot], e)) {
            gl_spread_drop(s, number);
            return 0;
        }
    }
    return number;
}

void gl_spread_set(struct gl_side *r, uint32_t number)
{
    gl_side_set_counts(r, r->n_writes, 0);
    gl_store_release(&r->spread, number); /* pairs with gl_spread_read() */
}

void gl_spread_gather(struct gl_spreads *s, struct gl_side *r)
{
    uint32_t number = gl_load_relaxed(&r->spread), reads = 0; /* under the cell's lock */
    const struct gl_spread *from = &s->all[number];
    if (s->env->fence)
        s->env->fence(s->env->ctx); /* pairs with gl_spread_read(): it sees the lock, or we see `busy` */
    for (uint32_t i = 0; i < from->threads; i++) {
        struct gl_spread_line *line = &from->line[i];
        for (unsigned n = 0; gl_load_acquire(&line->busy); n++) /* pairs with gl_spread_read() */
            s->env->pause(s->env->ctx, n);
        for (uint32_t k = 0; k < line->used; k++) {
            uint32_t half = gl_load_relaxed(&line->read[k].half); /* nobody changes it now */
            if (half)
                r->entry[r->n_writes + reads++] = (struct gl_entry){half, gl_load_relaxed(&line->read[k].site)};
        }
        line_clear(line);
    }
    gl_side_set_counts(r, r->n_writes, reads);
    gl_store_relaxed(&r->spread, 0); /* under the cell's lock */
    r->rereads = 0;
    spread_give(s, number);
}

uint32_t gl_spread_lines(const struct gl_spreads *s, const struct gl_side *r) { return spread_of(s, r)->threads; } /* of number 0: none */

uint32_t gl_spread_half(const struct gl_spreads *s, const struct gl_side *r, uint32_t i, uint32_t k)
{
    return gl_load_relaxed(&spread_of(s, r)->line[i].read[k].half); /* relaxed: nobody changes it now */
}

bool gl_spread_has(const struct gl_spreads *s, const struct gl_side *r, uint32_t slot) { return slot < spread_of(s, r)->threads; }

/* A line with several reads, or that will have.  There is always room: no two of its reads are of one byte. */
static __attribute__((noinline)) void line_set_among(struct gl_spread_line *line, uint32_t mine, uint32_t site)
{
    uint32_t to = GL_SPREAD_READS, used = 0, old;
    for (uint32_t k = 0; k < GL_SPREAD_READS; k++) { /* relaxed, all here: as in line_set() */
        old = gl_load_relaxed(&line->read[k].half);
        if ((old ^ mine) <= 0xF && !(mine & ~old & 0xF))
            return; /* of this segment, and all bytes are there */
    }
    for (uint32_t k = 0; k < GL_SPREAD_READS; k++) {
        old = gl_load_relaxed(&line->read[k].half);
        uint32_t left = old & ~mine & 0xF;
        if (left) {
            gl_store_relaxed(&line->read[k].half, (old & ~0xFu) | left);
            used = k + 1;
        } else {
            to = to < GL_SPREAD_READS ? to : k;
            gl_store_relaxed(&line->read[k].half, 0);
        }
    }
    gl_store_relaxed(&line->read[to].half, mine);
    gl_store_relaxed(&line->read[to].site, site);
    line->used = used > to ? used : to + 1;
}

/* The line of a thread, which nobody else changes now. */
static inline void line_set(struct gl_spread_line *line, uint32_t mine, uint32_t site)
{
    uint32_t old = gl_load_relaxed(&line->read[0].half); /* relaxed, here and below: as above */
    if ((old ^ mine) <= 0xF && !(mine & ~old & 0xF))
        return; /* of this segment, and all bytes are there */
    if (line->used > 1 || (old & ~mine & 0xF)) {
        line_set_among(line, mine, site);
        return;
    }
    gl_store_relaxed(&line->read[0].half, mine);
    gl_store_relaxed(&line->read[0].site, site);
    line->used = 1;
}

void gl_spread_put(struct gl_spreads *s, struct gl_side *r, uint32_t slot, uint32_t mine, uint32_t site)
{
    struct gl_spread_line *line = &spread_of(s, r)->line[slot];
    line_set(line, mine, site);
    line->asked |= mine & 0xF;
}

bool gl_spread_read(struct gl_spreads *s, struct gl_side *r, struct gl_cell cell, uint64_t word, uint32_t slot, uint32_t mine,
                    uint32_t site)
{
    uint32_t number = gl_load_acquire(&r->spread); /* pairs with gl_spread_set() */
    if (slot >= s->all[number].threads) /* of number 0: none */
        return false;
    struct gl_spread_line *line = &s->all[number].line[slot];
    gl_store_relaxed(&line->busy, 1);
    atomic_signal_fence(memory_order_seq_cst); /* pairs with gl_spread_gather(): the processor's part is its fence */
    bool same = gl_load_acquire(cell.word) == word && gl_load_acquire(&r->spread) == number; /* pairs with gl_cell_unlock() */
    bool done = same && !(mine & ~line->asked & 0xF);
    if (done)
        line_set(line, mine, site);
    gl_store_release(&line->busy, 0); /* pairs with gl_spread_gather() */
    return done;
}
