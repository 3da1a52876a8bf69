/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic accesses in one step, where the thread's earlier atomic access to the same bytes gives way to this one and nothing else
 * changes: what a lock, a counter or a flag looks like, whatever others have done to it.  The slow twin is gl_access_apart().
 *
 * The rules are those of cell.c, for an atomic access n.  With an atomic access there is no conflict, and one of another thread stays,
 * as it does there.  A plain one in conflict must be ordered before, and stays too: an atomic access does not cover it.
 */
#include <stddef.h>

#include "core/cell_inl.h"
#include "core/parts.h"
#include "core/state.h"

/* What becomes of an earlier access e when the thread makes its atomic one. */
enum fate {
    STAYS,  /* other bytes, no conflict, or in conflict and ordered before */
    OURS,   /* it stays: an own atomic write of an earlier segment, beside a read */
    GOES,   /* an own atomic read, which the write covers */
    PLACE,  /* an own atomic access of the same kind and bytes, of an earlier segment, which this one covers */
    UNLIKE, /* not so simple */
};

static inline GL_HOT enum fate fate(struct gl_thread *t, uint32_t e, bool e_write, uint32_t mine, bool write)
{
    uint32_t common = e & mine & 0xF;
    if (!common)
        return STAYS;
    bool same = gl_half_segment(e) == gl_half_segment(mine);
    if (!(e & GL_HALF_ATOMIC)) {
        if (same && (e_write || !write))
            return UNLIKE; /* it covers this one */
        return !(e_write || write) || gl_before(t, gl_half_segment(e)) ? STAYS : UNLIKE;
    }
    if (!gl_half_is_own(t, e))
        return STAYS;
    if (e_write != write)
        return write ? common == (e & 0xF) ? GOES : UNLIKE : same ? UNLIKE : OURS;
    return !same && !((e ^ mine) & 0xF) ? PLACE : UNLIKE;
}

/* The word after the access of `mine`; 0: not so simple. */
static inline uint64_t plan(struct gl_thread *t, uint64_t word, uint32_t mine, bool write)
{
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, same = write ? w : r, other = write ? r : w;
    if (w == GL_CELL_SIDE)
        return word;
    if (w >= GL_CELL_LOCKED >> 32 || gl_half_is_group(w) || gl_half_is_group(r) || !((same | other) & GL_HALF_ATOMIC) ||
        (same && (!(same & GL_HALF_ATOMIC) || fate(t, same, write, mine, write) != PLACE)))
        return 0;
    enum fate f = fate(t, other, !write, mine, write);
    if (f == UNLIKE || (!same && f == STAYS))
        return 0; /* or the thread's first one here */
    if (write)
        return (uint64_t)mine << 32 | (f == GOES ? 0 : r);
    return (word & 0xFFFFFFFF00000000ull) | mine;
}

#define NONE UINT32_MAX

/* The change of a side record. */
struct change {
    struct gl_side *record; /* NULL: the cell is a word */
    uint32_t place, gone;   /* the entries that the access takes, one more at the end perhaps, and that goes; NONE */
};

/* With more entries than these most are other threads' atomic ones, which stay whosesoever they are: they are looked at by sixteen, and the
 * thread's own is where it was. */
#define MANY 24u
#define BLOCK 16u

typedef uint64_t lanes __attribute__((vector_size(32), aligned(8), may_alias));

static inline bool all_atomic(const struct gl_entry *e)
{
    const lanes *l = (const lanes *)e;
    lanes all = l[0] & l[1] & l[2] & l[3];
    return all[0] & all[1] & all[2] & all[3] & GL_HALF_ATOMIC; /* a half is the lower part of an entry */
}
_Static_assert(BLOCK * sizeof(struct gl_entry) == 4 * sizeof(lanes), "a block is four vectors");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && offsetof(struct gl_entry, half) == 0, "all_atomic()");

static bool plain_ones_stay(struct gl_thread *t, const struct gl_side *r, uint32_t mine, bool write)
{
    uint32_t writes = r->n_writes, total = writes + r->n_reads;
    for (uint32_t i = 0; i < total;) {
        uint32_t end = i + BLOCK;
        if (end > total)
            end = total;
        else if (all_atomic(&r->entry[i])) {
            i = end;
            continue;
        }
        for (; i < end; i++)
            if (!(r->entry[i].half & GL_HALF_ATOMIC) && fate(t, r->entry[i].half, i < writes, mine, write) != STAYS)
                return false;
    }
    return true;
}

static uint16_t *probable(struct gl_thread *t, struct gl_cell cell, bool write)
{
    return &t->atomics[(uintptr_t)cell.word / sizeof *cell.word % GL_ATOMICS].at[write];
}

/* The thread's earlier access of the same kind and bytes is where it probably is: this one takes its place.  An own read that a write covers stays, which
 * says nothing that the write does not say. */
static bool place_again(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, struct change *c)
{
    const struct gl_side *r = c->record;
    uint32_t at = *probable(t, cell, write);
    if (at >= (uint32_t)r->n_writes + r->n_reads || (at < r->n_writes) != write ||
        !(r->entry[at].half & GL_HALF_ATOMIC) || fate(t, r->entry[at].half, write, mine, write) != PLACE)
        return false;
    c->place = at;
    return plain_ones_stay(t, r, mine, write);
}

/* Among so many reads a thread's first atomic one goes to the end, and so do others of which it is not known where the last one is: a slot has several
 * then, until the record is full (gl_side_thin()).  Else each thread that there ever was would make the next one's look longer. */
static bool added_among_plenty(struct gl_thread *t, struct gl_cell cell, uint32_t mine, struct change *c)
{
    const struct gl_side *r = c->record;
    uint32_t total = (uint32_t)r->n_writes + r->n_reads;
    if (r->n_reads <= t->core->plenty_reads || !t->core->env.fence || total >= gl_side_capacity(r->cls) || !plain_ones_stay(t, r, mine, false))
        return false;
    c->place = *probable(t, cell, false) = (uint16_t)total;
    return true;
}

/* The cell is locked, and held `word`.  False: not so simple. */
static inline GL_HOT bool change_of(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, bool write, struct change *c)
{
    c->record = NULL;
    if (word >> 32 != GL_CELL_SIDE)
        return true;
    struct gl_side *r = gl_side_at(&t->core->sides, gl_cell_side(word));
    uint32_t writes = r->n_writes, total = writes + r->n_reads;
    *c = (struct change){r, NONE, NONE};
    if (gl_load_relaxed(&r->spread)) /* under the cell's lock */
        return false;
    if (total > MANY && (place_again(t, cell, mine, write, c) || (!write && added_among_plenty(t, cell, mine, c))))
        return true;
    c->place = NONE;
    bool ours = false;
    for (uint32_t i = 0; i < total; i++) {
        enum fate f = fate(t, r->entry[i].half, i < writes, mine, write);
        uint32_t *one = f == PLACE ? &c->place : &c->gone;
        ours |= f == OURS;
        if (f == STAYS || f == OURS)
            continue;
        if (f == UNLIKE || *one != NONE)
            return false;
        *one = i;
    }
    if (ours && c->place == NONE && total < gl_side_capacity(r->cls))
        c->place = total;
    if (total > MANY && c->place != NONE)
        *probable(t, cell, write) = (uint16_t)c->place;
    return c->place != NONE;
}

static inline void apply(struct gl_cell cell, const struct change *c, uint32_t mine, bool write, uint32_t site)
{
    struct gl_side *r = c->record;
    if (!r) {
        gl_site_store(gl_site_half(cell.sites, write), site); /* under the cell's lock */
        return;
    }
    gl_store_relaxed(cell.sites, 0); /* as gl_parts_word_of_side() */
    r->entry[c->place] = (struct gl_entry){mine, site};
    uint32_t total = (uint32_t)r->n_writes + r->n_reads;
    if (c->place == total)
        gl_side_set_counts(r, r->n_writes, r->n_reads + 1u);
    if (c->gone != NONE) { /* a read: what moves to its place stands among the reads before and after */
        r->entry[c->gone] = r->entry[total - 1];
        gl_side_set_counts(r, r->n_writes, r->n_reads - 1u);
    }
}

static inline GL_HOT bool one_cell(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site)
{
    uint64_t word = gl_load_acquire(cell.word); /* acquire: as in gl_access_quick() */
    uint64_t next = plan(t, word, mine, write);
    if (!next || !gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with gl_cell_unlock() */
        return false;
    struct change c;
    bool done = change_of(t, cell, word, mine, write, &c);
    if (done) {
        apply(cell, &c, mine, write, site);
        gl_count(t, GL_COUNT_rule_own_thread);
    }
    gl_cell_unlock(cell, done ? next : word);
    return done;
}

bool gl_access_atomic(struct gl_thread *t, struct gl_cell cell, uint32_t mask, bool write, uint32_t site)
{
    uint32_t mine = gl_half(t->segment, GL_HALF_ATOMIC, mask);
    return t->segment && (write ? one_cell(t, cell, mine, true, site) : one_cell(t, cell, mine, false, site));
}

static inline GL_HOT bool two_cells(struct gl_thread *t, struct gl_cell first, uint32_t mine, bool write, uint32_t site)
{
    uint64_t w0 = gl_load_acquire(&first.word[0]), w1 = gl_load_acquire(&first.word[1]); /* acquire: as above */
    uint64_t n0 = plan(t, w0, mine, write), n1 = w1 == w0 ? n0 : plan(t, w1, mine, write);
    if (!n0 || !n1 || !gl_lock_pair(first, w0, w1))
        return false;
    struct change c[2];
    struct gl_cell second = {first.word + 1, first.sites + 1};
    bool done = change_of(t, first, w0, mine, write, &c[0]) && change_of(t, second, w1, mine, write, &c[1]);
    if (done) {
        apply(first, &c[0], mine, write, site);
        apply(second, &c[1], mine, write, site);
    }
    t->count[GL_COUNT_rule_own_thread] += done;
    gl_store_release(&first.word[0], done ? n0 : w0); /* pairs with gl_cell_lock() */
    gl_store_release(&first.word[1], done ? n1 : w1);
    return done;
}

bool gl_access_atomic_pair(struct gl_thread *t, struct gl_cell first, bool write, uint32_t site)
{
    uint32_t mine = gl_half(t->segment, GL_HALF_ATOMIC, 0xF);
    return t->segment && (write ? two_cells(t, first, mine, true, site) : two_cells(t, first, mine, false, site));
}
