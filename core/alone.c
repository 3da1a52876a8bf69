/* SPDX-License-Identifier: Apache-2.0
 *
 * Accesses to a cell that no other thread touches now (it lies on a page of the caller's, see native/owner.h) and that is not
 * simply one word: bytes of a word that are read and written one by one, mostly.  What gl_access() would do, which is the slow twin,
 * where all accesses are plain and none races; in place, and without a lock.
 */
#include "core/cell_inl.h"
#include "core/parts.h"
#include "core/state.h"

/* What there is of the access's own segment, and what changes. */
struct found {
    uint32_t wrote, read; /* halves: its writes and reads, before it; 0: none */
    uint32_t dropped;     /* bytes of earlier accesses that it makes superfluous */
};

/* Are all accesses plain, and those in conflict with a read (write: with a write) of these bytes ordered before? */
static inline __attribute__((always_inline)) bool may(struct gl_thread *t, const struct gl_parts *p, uint32_t mine, bool write,
                                                      struct found *f)
{
    const struct gl_entry *e = p->e, *reads = e + p->n_writes, *end = reads + p->n_reads;
    uint32_t all = 0, bytes = mine & 0xF;
    f->wrote = 0;
    for (; e < reads; e++) {
        all |= e->half;
        if ((e->half ^ mine) <= 0xF)
            f->wrote |= e->half;
        else if ((e->half & bytes) && !gl_before(t, gl_half_segment(e->half)))
            return false;
    }
    for (; e < end; e++) {
        all |= e->half;
        if (write && (e->half ^ mine) > 0xF && (e->half & bytes) && !gl_before(t, gl_half_segment(e->half)))
            return false;
    }
    return !(all & GL_HALF_ATOMIC);
}

/* An entry, where the next one that stays goes. */
static inline struct gl_entry *keep(struct gl_entry *to, uint32_t half, uint32_t site)
{
    *to = (struct gl_entry){half, site};
    return to + (gl_half_mask(half) != 0);
}

/* Adds bytes that the segment's accesses of this kind do not have, to one of those if their sites can be one: as add() of cell.c does.  same: the last
 * of them, exact: the first at this site.  False: it is another entry. */
static inline bool joined(struct gl_thread *t, struct gl_entry *same, struct gl_entry *exact, uint32_t fresh, uint32_t site)
{
    if (exact) {
        exact->half |= fresh;
        return true;
    }
    uint32_t both = same && t->join_sites ? t->join_sites(t->join_ctx, same->site, gl_half_mask(same->half), site, fresh) : 0;
    if (!both)
        return false;
    *same = (struct gl_entry){same->half | fresh, both};
    return true;
}

/* The accesses after a read that may(); there is room for one more. */
static inline void put_read(struct gl_thread *t, struct gl_parts *p, uint32_t mine, uint32_t site, struct found *f)
{
    struct gl_entry *e = p->e + p->n_writes, *end = e + p->n_reads, *to = e, *same = NULL, *exact = NULL;
    uint32_t bytes = mine & 0xF, read = 0, dropped = 0;
    for (; e < end; e++) {
        uint32_t half = e->half;
        if ((half ^ mine) <= 0xF) {
            read |= half;
            same = to;
            if (!exact && e->site == site)
                exact = to;
        } else if ((half & bytes) && gl_half_is_own(t, half)) { /* another thread's read may be unordered */
            dropped |= half;
            half &= ~bytes;
        }
        to = keep(to, half, e->site);
    }
    uint32_t fresh = bytes & ~(read | f->wrote);
    if (fresh && !joined(t, same, exact, fresh, site))
        to = keep(to, (mine & ~0xFu) | fresh, site);
    p->n_reads = (uint32_t)(to - p->e) - p->n_writes;
    p->changed = fresh || dropped;
    f->read = fresh ? read | (mine & ~0xFu) | fresh : read;
}

/* The same after a write: of its bytes nothing else is left. */
static inline void put_write(struct gl_thread *t, struct gl_parts *p, uint32_t mine, uint32_t site, struct found *f)
{
    struct gl_entry *e = p->e, *reads = e + p->n_writes, *end = reads + p->n_reads, *to = e, *same = NULL, *exact = NULL;
    uint32_t bytes = mine & 0xF, read = 0, dropped = 0;
    for (; e < reads; e++) {
        uint32_t half = e->half;
        if ((half ^ mine) <= 0xF) {
            same = to;
            if (!exact && e->site == site)
                exact = to;
        } else {
            dropped |= half & bytes;
            half &= ~bytes;
        }
        to = keep(to, half, e->site);
    }
    p->n_writes = (uint32_t)(to - p->e);
    for (; e < end; e++) {
        uint32_t half = e->half & ~bytes;
        dropped |= e->half & bytes;
        if ((half ^ mine) <= 0xF)
            read |= gl_half_mask(half) ? half : 0;
        to = keep(to, half, e->site);
    }
    uint32_t fresh = bytes & ~f->wrote;
    if (fresh && !joined(t, same, exact, fresh, site)) { /* behind the writes, where the first read was */
        *to++ = p->e[p->n_writes];
        p->e[p->n_writes++] = (struct gl_entry){(mine & ~0xFu) | fresh, site};
    }
    p->n_reads = (uint32_t)(to - p->e) - p->n_writes;
    p->changed = fresh || dropped;
    f->read = read;
    f->wrote = fresh ? f->wrote | (mine & ~0xFu) | fresh : f->wrote;
}

static inline __attribute__((always_inline)) void put(struct gl_thread *t, struct gl_parts *p, uint32_t mine, bool write,
                                                      uint32_t site, struct found *f)
{
    if (write)
        put_write(t, p, mine, site, f);
    else
        put_read(t, p, mine, site, f);
    if (!p->changed)
        gl_count(t, GL_COUNT_rule_same_segment);
}

/* For gl_side_seen_alone(). */
static inline void tell_seen(struct gl_cell cell, const struct found *f)
{
    gl_store_relaxed(cell.sites, (uint64_t)f->wrote << 32 | f->read); /* relaxed: nobody else is there */
}

/* gl_parts_word_of_side() where no group is needed. */
static inline uint64_t as_word(struct gl_thread *t, struct gl_cell cell, struct gl_side *r, const struct gl_parts *p)
{
    struct gl_entry w = p->n_writes ? p->e[0] : (struct gl_entry){0, 0}, read = p->n_reads ? p->e[p->n_writes] : (struct gl_entry){0, 0};
    gl_store_relaxed(cell.sites, (uint64_t)w.site << 32 | read.site); /* relaxed: nobody else is there */
    gl_parts_side_done(t, r);
    gl_count(t, GL_COUNT_cells_joined);
    return (uint64_t)w.half << 32 | read.half;
}

static inline __attribute__((always_inline)) bool alone_side(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine,
                                                             bool write, uint32_t site)
{
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    struct gl_parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
    struct found f;
    if (gl_load_relaxed(&r->spread) || p.n_writes + p.n_reads >= gl_side_capacity(r->cls)) /* relaxed: nobody else is there */
        return false;
    if (!may(t, &p, mine, write, &f))
        return false;
    /* Locked, for who looks at the record from outside (gl_side_hit()): its accesses move from place to place, and it may be given back. */
    gl_store_relaxed(cell.word, GL_CELL_LOCKED);
    gl_side_changes(r);
    put(t, &p, mine, write, site, &f);
    if (p.n_writes <= 1 && p.n_reads <= 1) /* changed, or what is left after gl_cell_fresh() */
        word = as_word(t, cell, r, &p);
    else if (p.changed)
        word = gl_parts_word_of_side(t, cell, r, &p);
    if (word >> 32 == GL_CELL_SIDE)
        tell_seen(cell, &f);
    gl_cell_unlock(cell, word);
    return true;
}

/* gl_parts_of(), mostly of no group. */
static inline uint32_t parts_of(struct gl_thread *t, uint32_t half, uint32_t site, struct gl_entry *e)
{
    if (gl_half_is_group(half))
        return gl_parts_of(t->core, half, site, e);
    *e = (struct gl_entry){half, site};
    return half != 0;
}

static inline __attribute__((always_inline)) bool alone_word(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine,
                                                             bool write, uint32_t site)
{
    struct gl_entry e[GL_PARTS];
    struct gl_parts p = {.e = e};
    struct found f;
    uint64_t sites = gl_load_relaxed(cell.sites), next; /* relaxed: nobody else is there */
    p.n_writes = parts_of(t, (uint32_t)(word >> 32), (uint32_t)(sites >> 32), e);
    p.n_reads = parts_of(t, (uint32_t)word, (uint32_t)sites, e + p.n_writes);
    if (!may(t, &p, mine, write, &f))
        return false;
    put(t, &p, mine, write, site, &f);
    if (!p.changed)
        return true;
    if (!gl_parts_word(t, cell, &p, &next))
        return false; /* gl_access() says so */
    if (next >> 32 != GL_CELL_SIDE)
        gl_step_keep(t, mine, write, word, next);
    else
        tell_seen(cell, &f);
    gl_cell_unlock(cell, next);
    return true;
}

/* Apart from each other: what depends on the kind is decided once. */
static __attribute__((noinline)) bool read_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site)
{
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    return word >> 32 == GL_CELL_SIDE ? alone_side(t, cell, word, mine, false, site) : alone_word(t, cell, word, mine, false, site);
}

static __attribute__((noinline)) bool write_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site)
{
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    return word >> 32 == GL_CELL_SIDE ? alone_side(t, cell, word, mine, true, site) : alone_word(t, cell, word, mine, true, site);
}

bool gl_access_parts_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site)
{
    return write ? write_alone(t, cell, mine, site) : read_alone(t, cell, mine, site);
}
