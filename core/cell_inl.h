/* SPDX-License-Identifier: Apache-2.0
 *
 * The common transitions of a cell, inline: a plain access to a cell that is one word, where every earlier
 * access that it meets is known to be ordered before, and the result is one word again.  Whatever is not so simple
 * is left to gl_access(), the slow twin, which finds the same (the differential test runs both: gl_access()
 * itself begins here).
 *
 * "Known to be ordered" is a look into the thread's own cache of segment ids; its entries are yes-answers of
 * gl_ordered(), which are final.
 */
#ifndef GL_CORE_CELL_INL_H
#define GL_CORE_CELL_INL_H

#include "core/core.h"
#include "core/group.h"
#include "core/side.h"

/* Asks gl_ordered() and remembers a yes. */
bool gl_before_slow(struct gl_thread *t, uint32_t id);
/* The same where a yes is only thrift: the column is not asked when there are many threads. */
bool gl_before_known_slow(struct gl_thread *t, uint32_t id);

/* Is the segment surely the thread's own?  No: perhaps it is. */
static inline bool gl_is_own(const struct gl_thread *t, uint32_t id)
{
    return id - t->own_first <= t->own_span;
}

/* Is the half's segment the thread's own? */
static inline bool gl_half_is_own(const struct gl_thread *t, uint32_t half)
{
    uint32_t id = gl_half_segment(half);
    return gl_is_own(t, id) || (id >= t->own_least && gl_batch_of(t->segments, id)->slot == t->slot);
}

/* gl_before() from what the thread has at hand; false: ask.  Two rules of gl_ordered(), for threads with many segments: the answer
 * is not put into the cache, which would hold it for a moment only. */
static inline bool gl_before_at_hand(struct gl_thread *t, uint32_t id)
{
    if (__builtin_expect(t->before[id % GL_BEFORE] == id, 1))
        return true;
    if (__builtin_expect(gl_is_own(t, id), 1)) {
        t->count[GL_COUNT_rule_own_thread]++;
        return true;
    }
    const struct gl_batch *b = gl_batch_whole(t->segments, id);
    if (!b)
        return false;
    if (b->slot == t->slot) {
        t->count[GL_COUNT_rule_own_thread]++;
        return true;
    }
    const struct gl_hint *h = &t->hints[b->slot & t->hint_mask];
    if (h->slot != b->slot || h->epoch < gl_segment_epoch(b, id))
        return false;
    t->count[GL_COUNT_rule_hint]++;
    return true;
}

static inline bool gl_before(struct gl_thread *t, uint32_t id)
{
    return __builtin_expect(gl_before_at_hand(t, id), 1) || gl_before_slow(t, id);
}

static inline bool gl_before_known(struct gl_thread *t, uint32_t id)
{
    return __builtin_expect(t->before[id % GL_BEFORE] == id, 1) || gl_before_known_slow(t, id);
}

/* Who is asked whether a segment is ordered before: a constant, so that it becomes part of the code. */
typedef bool gl_before_fn(struct gl_thread *t, uint32_t id);

/* The word after the access of `mine` (the thread's half with its bytes), or 0: not a simple case.
 * The new half keeps bytes of an older half only when that is of the same segment; their sites are joined then. */
static inline GL_HOT uint64_t gl_plan_by(struct gl_thread *t, uint64_t word, uint32_t mine, bool write,
                                         gl_before_fn *before, gl_before_fn *known)
{
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word;
    if (w >= GL_CELL_LOCKED >> 32 || ((w | r) & GL_HALF_ATOMIC))
        return 0;
    uint32_t bytes = mine & 0xF;
    if ((w & bytes) && (w ^ mine) > 0xF && !before(t, gl_half_segment(w)))
        return 0; /* a race, perhaps */
    if (!write) {
        if (r && (r ^ mine) > 0xF && ((r & ~bytes & 0xF) || !known(t, gl_half_segment(r))))
            return 0; /* bytes of another segment that stay, or a reader that may be unordered: both are kept */
        return (word & 0xFFFFFFFF00000000ull) | mine | ((r ^ mine) > 0xF ? 0 : r & 0xF);
    }
    if ((w & ~bytes & 0xF) && (w ^ mine) > 0xF)
        return 0;
    if (r & bytes) {
        if ((r ^ mine) > 0xF && !before(t, gl_half_segment(r)))
            return 0;
        if (!(r & ~bytes & 0xF))
            r = 0;
        else if (gl_half_is_group(r))
            return 0;
        else
            r &= ~bytes;
    }
    return (uint64_t)(mine | ((w ^ mine) > 0xF ? 0 : w & 0xF)) << 32 | r;
}

static inline GL_HOT uint64_t gl_plan(struct gl_thread *t, uint64_t word, uint32_t mine, bool write)
{
    return gl_plan_by(t, word, mine, write, gl_before, gl_before_known);
}

/* The word after an access that changes one half in a way that needs a group and has been found before (step.c), and the site of
 * that half; 0: it was not, or something is not surely ordered.  For gl_access_alone(); old_site: of that half. */
uint64_t gl_step_alone(struct gl_thread *t, uint64_t word, uint32_t old_site, uint32_t mine, bool write, uint32_t site,
                       uint32_t *new_site);

/* A plain access to a cell that is one word, of which one half changes in a way that needs a group and has been found
 * before.  False: nothing was done, call gl_access(). */
bool gl_access_step(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, bool write, uint32_t site);
/* A plain read of all bytes of a cell whose side record has a read by an older segment of this thread, of no other bytes: that
 * is what data look like that many threads read in every epoch.  word: what the cell held.  False: nothing was done. */
bool gl_access_reread(struct gl_thread *t, struct gl_cell cell, uint64_t word, uint32_t mine, uint32_t site);
/* As gl_access_step(), for two cells side by side that hold the same word. */
bool gl_access_step_pair(struct gl_thread *t, struct gl_cell first, uint64_t word, uint32_t mine, bool write, uint32_t site);

/* Does the sites' word of a cell that has a side record, and is the caller's alone, say that its segment made this access?  It is 0, or what the record
 * has of the segment that changed it last, as long as the cell was some thread's alone: who changes a record otherwise makes it 0. */
static inline bool gl_side_seen_alone(struct gl_cell cell, uint32_t mine, bool write)
{
    uint64_t seen = gl_load_relaxed(cell.sites); /* relaxed: nobody else is there */
    uint32_t matter = ~0xFu | mine;
    return (((uint32_t)(seen >> 32) ^ mine) & matter) == 0 ||
           (!write && (((uint32_t)seen ^ mine) & matter) == 0);
}

/* A plain access, where every earlier access that it meets is known to be ordered before, to a cell that no other thread touches now:
 * what gl_access_alone() left, the cell taken apart.  False: nothing was done, call gl_access(). */
bool gl_access_parts_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site);
/* The same for any cell, which is locked meanwhile: what gl_access_quick() and gl_access_reread() left. The thread has a segment. */
bool gl_access_parts(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site);

/* A plain read of a cell that no other thread touches now, nor ever without its lock, that has a side record: what many threads read.  False: nothing
 * was done. */
bool gl_access_read_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, uint32_t site);

/* An atomic access to bytes of a cell to which the thread's earlier ones were made in the same way, or to one that is one word and has nothing
 * else of that kind.  False: nothing was done, call gl_access(). */
bool gl_access_atomic(struct gl_thread *t, struct gl_cell cell, uint32_t mask, bool write, uint32_t site);
/* The same for all bytes of two cells side by side, in one step. */
bool gl_access_atomic_pair(struct gl_thread *t, struct gl_cell first, bool write, uint32_t site);

/* The half of the sites word that an access of this kind writes. */
static inline _Atomic uint32_t *gl_site_half(_Atomic uint64_t *sites, bool write)
{
    return (_Atomic uint32_t *)sites + (write ? 1 : 0); /* little-endian: the write half is the high one */
}

/* Loops come to the same data from the same place: a line that is not written need not be written back.  The caller's
 * alone, or under the cell's lock. */
static inline void gl_site_store(_Atomic uint32_t *place, uint32_t site)
{
    if (gl_load_relaxed(place) != site)
        gl_store_relaxed(place, site);
}

/* Makes *site stand for what half `old` had too, when that is of the segment of `mine`: its bytes stay.  False: they
 * cannot be joined. */
static inline bool gl_site_with(struct gl_thread *t, struct gl_cell cell, uint32_t old, uint32_t mine, bool write,
                                uint32_t *site)
{
    if (!old || (old ^ mine) > 0xF)
        return true;
    uint32_t was = gl_load_relaxed(gl_site_half(cell.sites, write)); /* the caller's alone, or under the cell's lock */
    if (was == *site)
        return true;
    if (!gl_half_mask(mine & ~old)) { /* nothing new: what is recorded keeps its site */
        *site = was;
        return true;
    }
    *site = t->join_sites ? t->join_sites(t->join_ctx, was, gl_half_mask(old), *site, gl_half_mask(mine & ~old)) : 0;
    return *site != 0;
}

/* One cell.  False: nothing was done, call gl_access(). */
static inline GL_HOT bool gl_access_quick(struct gl_thread *t, struct gl_cell cell, uint32_t mask, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, mask);
    uint64_t word = gl_load_acquire(cell.word); /* acquire: pairs with gl_cell_unlock(); the segments named are visible */
    uint64_t next = gl_plan(t, word, mine, write);
    if (!next)
        return gl_access_step(t, cell, word, mine, write, site);
    if (!gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with gl_cell_unlock() */
        return false;
    bool fits = gl_site_with(t, cell, (uint32_t)(word >> (write ? 32 : 0)), mine, write, &site);
    if (fits) /* else a side record keeps both */
        gl_site_store(gl_site_half(cell.sites, write), site); /* under the cell's lock */
    gl_store_release(cell.word, fits ? next : word);             /* pairs with gl_cell_lock() */
    return fits;
}

/* The same for a cell that no other thread touches now, as the caller sees to: nothing is locked.  mine: the thread's half
 * with its bytes; it has a segment. */
static inline GL_HOT bool gl_access_alone_by(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site,
                                             gl_before_fn *before, gl_before_fn *known)
{
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: here and below, nobody else is there */
    uint64_t next = gl_plan_by(t, word, mine, write, before, known);
    if (__builtin_expect(next != 0, 1)) {
        if (!gl_site_with(t, cell, (uint32_t)(word >> (write ? 32 : 0)), mine, write, &site))
            return false;
    } else {
        uint32_t old_site = gl_load_relaxed(gl_site_half(cell.sites, write));
        next = gl_step_alone(t, word, old_site, mine, write, site, &site);
        if (!next)
            return false;
    }
    gl_site_store(gl_site_half(cell.sites, write), site);
    gl_store_relaxed(cell.word, next);
    return true;
}

static inline bool gl_access_alone(struct gl_thread *t, struct gl_cell cell, uint32_t mine, bool write, uint32_t site)
{
    return gl_access_alone_by(t, cell, mine, write, site, gl_before, gl_before_known);
}

/* The same for two cells side by side and all their bytes. */
static inline bool gl_access_alone_pair(struct gl_thread *t, struct gl_cell first, uint32_t mine, bool write, uint32_t site)
{
    uint64_t w0 = gl_load_relaxed(&first.word[0]), w1 = gl_load_relaxed(&first.word[1]); /* relaxed: as above */
    uint64_t n0 = gl_plan(t, w0, mine, write), n1 = w1 == w0 ? n0 : gl_plan(t, w1, mine, write);
    if (!n0 || !n1)
        return false;
    gl_site_store(gl_site_half(&first.sites[0], write), site);
    gl_site_store(gl_site_half(&first.sites[1], write), site);
    gl_store_relaxed(&first.word[0], n0);
    gl_store_relaxed(&first.word[1], n1);
    return true;
}

/* Locks two cells that lie side by side (the first at a 16-byte boundary) if they hold these words. */
static inline bool gl_lock_pair(struct gl_cell first, uint64_t w0, uint64_t w1)
{
#if defined(__x86_64__)
    bool taken;
    __asm__ volatile("lock cmpxchg16b %1" /* a full fence: pairs with gl_cell_unlock() */
                     : "=@ccz"(taken), "+m"(*(unsigned __int128 *)first.word), "+a"(w0), "+d"(w1)
                     : "b"(GL_CELL_LOCKED), "c"(GL_CELL_LOCKED)
                     : "memory");
    return taken;
#else
    (void)first, (void)w0, (void)w1;
    return false; /* no double-width compare-and-swap: one cell after the other */
#endif
}

/* All bytes of two cells that lie side by side, in one step.  False: nothing was done. */
static inline GL_HOT bool gl_access_quick_pair(struct gl_thread *t, struct gl_cell first, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, 0xF);
    uint64_t w0 = gl_load_acquire(&first.word[0]), w1 = gl_load_acquire(&first.word[1]); /* as above */
    uint64_t n0 = gl_plan(t, w0, mine, write), n1 = w1 == w0 ? n0 : gl_plan(t, w1, mine, write);
    if (!n0 && w0 == w1)
        return gl_access_step_pair(t, first, w0, mine, write, site);
    if (!n0 || !n1 || !gl_lock_pair(first, w0, w1))
        return false;
    gl_site_store(gl_site_half(&first.sites[0], write), site); /* under the cells' locks */
    gl_site_store(gl_site_half(&first.sites[1], write), site);
    gl_store_release(&first.word[0], n0); /* pairs with gl_cell_lock() */
    gl_store_release(&first.word[1], n1);
    return true;
}

/* Does the cell's side record, read without its lock, hold an access of the thread's current segment (`key`) to all
 * bytes of `mask` that covers a plain read or write (docs/concurrency.md, F.3)?  word: what *place held. */
static inline bool gl_side_hit(struct gl_sides *sides, _Atomic uint64_t *place, uint64_t word, uint32_t key,
                               uint32_t mask, bool write)
{
    struct gl_side *r = gl_side_at(sides, gl_cell_side(word));
    /* A read stands among the writes for a moment while the record is changed.  That the word was the same before and after says
     * nothing: most changes leave it as it was. */
    uint16_t changes = write ? __atomic_load_n(&r->changes, __ATOMIC_ACQUIRE) : 0; /* acquire: pairs with gl_side_changes() */
    if (write && gl_load_acquire(place) != word) /* a change that was under way then is over: pairs with gl_cell_unlock() */
        return false;
    uint32_t counts = __atomic_load_n(&r->counts, __ATOMIC_ACQUIRE); /* acquire: pairs with gl_cell_unlock() */
    uint32_t n = (counts & 0xFFFF) + (write ? 0 : counts >> 16), room = gl_side_capacity(r->cls);
    if (n > room)
        n = room;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t half = __atomic_load_n(&r->entry[i].half, __ATOMIC_RELAXED); /* only compared with our own segment */
        if (((half ^ (key | mask)) & (~0xFu | mask)) == 0) {
            atomic_thread_fence(memory_order_acquire); /* the entry is read before what follows */
            if (write && __atomic_load_n(&r->changes, __ATOMIC_ACQUIRE) != changes)
                return false;                      /* perhaps it is no write, see above */
            return gl_load_acquire(place) == word; /* still the record of this cell */
        }
    }
    return false;
}

/* The bytes of the present segment's accesses (`key`) in a group, as one half; 0: none. */
static inline uint32_t gl_group_member(struct gl_lists *lists, uint32_t group, uint32_t key)
{
    const uint32_t *halves = gl_group_halves(lists, group);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        if (gl_half_segment(halves[i]) == gl_half_segment(key))
            mask |= gl_half_mask(halves[i]);
    return mask ? key | mask : 0;
}

#endif
