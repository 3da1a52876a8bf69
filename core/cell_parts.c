/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain accesses to a cell that is not simply one word: bytes of a word that are read and written one by one, small fields of a struct. What
 * gl_access() would do, which is the slow twin, where all accesses are plain and none races; in place. The cell is locked meanwhile, or no other
 * thread touches it (alone: it lies on a page of the caller's, see native/owner.h).
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
static inline __attribute__((always_inline)) void put_read(struct gl_thread *t, struct gl_parts *p, uint32_t mine, uint32_t site, struct found *f)
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
static inline __attribute__((always_inline)) void put_write(struct gl_thread *t, struct gl_parts *p, uint32_t mine, uint32_t site, struct found *f)
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

/* For gl_side_seen_alone(), of which only the owner of a page asks. */
static inline void tell_seen(struct gl_cell cell, const struct found *f, bool alone)
{
    gl_store_relaxed(cell.sites, alone ? (uint64_t)f->wrote << 32 | f->read : 0); /* relaxed: nobody else is there, or the cell is locked */
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

static inline __attribute__((always_inline)) bool side_parts(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine,
                                                             bool write, uint32_t site, bool alone)
{
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    struct gl_parts p = {.e = r->entry, .n_writes = r->n_writes, .n_reads = r->n_reads};
    struct found f;
    uint32_t room = gl_side_capacity(alone ? r->cls : 0); /* what many threads read gl_access() makes room for, and looks who can go */
    if (gl_load_relaxed(&r->spread) || p.n_writes + p.n_reads >= room) /* relaxed: nobody else is there, or the cell is locked */
        return false;
    if (!may(t, &p, mine, write, &f))
        return false;
    if (alone) /* locked, for who looks at the record from outside (gl_side_hit()): its accesses move from place to place, and it may be given back */
        gl_store_relaxed(cell.word, GL_CELL_LOCKED);
    gl_side_changes(r);
    put(t, &p, mine, write, site, &f);
    if (p.n_writes <= 1 && p.n_reads <= 1) /* changed, or what is left after gl_cell_fresh() */
        word = as_word(t, cell, r, &p);
    else /* no group is looked for: what is found here again and again gets one by gl_cell_fold() */
        gl_side_set_counts(r, p.n_writes, p.n_reads);
    if (word >> 32 == GL_CELL_SIDE)
        tell_seen(cell, &f, alone);
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

static inline __attribute__((always_inline)) bool word_parts(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine,
                                                             bool write, uint32_t site, bool alone)
{
    struct gl_entry e[GL_PARTS];
    struct gl_parts p = {.e = e};
    struct found f;
    uint64_t sites = gl_load_relaxed(cell.sites), next; /* relaxed: nobody else is there, or the cell is locked */
    p.n_writes = parts_of(t, (uint32_t)(word >> 32), (uint32_t)(sites >> 32), e);
    p.n_reads = parts_of(t, (uint32_t)word, (uint32_t)sites, e + p.n_writes);
    if (!may(t, &p, mine, write, &f))
        return false;
    put(t, &p, mine, write, site, &f);
    if (!p.changed) {
        if (!alone)
            gl_cell_unlock(cell, word);
        return true;
    }
    if (!gl_parts_word(t, cell, &p, &next))
        return false; /* gl_access() says so */
    if (next >> 32 != GL_CELL_SIDE)
        gl_step_keep(t, mine, write, word, next);
    else
        tell_seen(cell, &f, alone);
    gl_cell_unlock(cell, next);
    return true;
}

static inline __attribute__((always_inline)) bool in_parts(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, bool write,
                                                           uint32_t site, bool alone)
{
    return word >> 32 == GL_CELL_SIDE ? side_parts(t, cell, word, mine, write, site, alone) : word_parts(t, cell, word, mine, write, site, alone);
}

/* Apart from each other, here and below: what depends on the kind is decided once. */
static __attribute__((noinline)) bool read_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site)
{
    return in_parts(t, cell, gl_load_relaxed(cell.word), mine, false, site, true); /* relaxed: nobody else is there */
}

static __attribute__((noinline)) bool write_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site)
{
    return in_parts(t, cell, gl_load_relaxed(cell.word), mine, true, site, true); /* relaxed: nobody else is there */
}

bool gl_access_parts_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site)
{
    return write ? write_alone(t, cell, mine, site) : read_alone(t, cell, mine, site);
}

static __attribute__((noinline)) bool read_locked(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, uint32_t site)
{
    return in_parts(t, cell, word, mine, false, site, false);
}

static __attribute__((noinline)) bool write_locked(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, uint32_t site)
{
    return in_parts(t, cell, word, mine, true, site, false);
}

bool gl_access_parts(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site)
{
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: a guess */
    if (word == GL_CELL_LOCKED || !gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with gl_cell_unlock() */
        return false;
    bool done = write ? write_locked(t, cell, word, mine, site) : read_locked(t, cell, word, mine, site);
    if (done)
        gl_count(t, write ? GL_COUNT_writes : GL_COUNT_reads); /* for gl_access_reread(), too: its record may be another now */
    else
        gl_cell_unlock(cell, word);
    return done;
}
