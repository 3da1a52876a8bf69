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
#include "core/side.h"

/* Asks gl_ordered() and remembers a yes. */
bool gl_before_slow(struct gl_thread *t, uint32_t id);

static inline bool gl_before(struct gl_thread *t, uint32_t id)
{
    return __builtin_expect(t->before[id % GL_BEFORE] == id, 1) || gl_before_slow(t, id);
}

/* The word after the access of `mine` (the thread's half with its bytes), or 0: not a simple case.
 * The new half keeps bytes of an older half only when that is of the same segment; their sites are joined then. */
static inline uint64_t gl_plan(struct gl_thread *t, uint64_t word, uint32_t mine, bool write)
{
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word;
    if (w >= GL_CELL_LOCKED >> 32 || ((w | r) & GL_HALF_ATOMIC))
        return 0;
    uint32_t bytes = mine & 0xF;
    if ((w & bytes) && (w ^ mine) > 0xF && !gl_before(t, gl_half_segment(w)))
        return 0; /* a race, perhaps */
    if (!write) {
        if (r && (r ^ mine) > 0xF && ((r & ~bytes & 0xF) || !gl_before(t, gl_half_segment(r))))
            return 0; /* bytes of another segment that stay, or an unordered reader */
        return (word & 0xFFFFFFFF00000000ull) | mine | ((r ^ mine) > 0xF ? 0 : r & 0xF);
    }
    if ((w & ~bytes & 0xF) && (w ^ mine) > 0xF)
        return 0;
    if (r & bytes) {
        if ((r ^ mine) > 0xF && !gl_before(t, gl_half_segment(r)))
            return 0;
        r &= ~bytes;
        r = r & 0xF ? r : 0;
    }
    return (uint64_t)(mine | ((w ^ mine) > 0xF ? 0 : w & 0xF)) << 32 | r;
}

/* The half of the sites word that an access of this kind writes. */
static inline _Atomic uint32_t *gl_site_half(_Atomic uint64_t *sites, bool write)
{
    return (_Atomic uint32_t *)sites + (write ? 1 : 0); /* little-endian: the write half is the high one */
}

/* One cell.  False: nothing was done, call gl_access(). */
static inline bool gl_access_quick(struct gl_thread *t, struct gl_cell cell, uint32_t mask, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, mask);
    uint64_t word = gl_load_acquire(cell.word); /* acquire: pairs with cell_unlock(); the segments named are visible */
    uint64_t next = gl_plan(t, word, mine, write);
    if (!next || !gl_cas_acquire(cell.word, &word, GL_CELL_LOCKED)) /* acquire: pairs with cell_unlock() */
        return false;
    uint32_t old = write ? (uint32_t)(word >> 32) : (uint32_t)word;
    if ((old ^ mine) <= 0xF && old) { /* of the same segment: its bytes stay, and so do their sites */
        uint32_t was = gl_load_relaxed(gl_site_half(cell.sites, write)); /* under the cell's lock */
        if (was != site) {
            site = t->join_sites ? t->join_sites(t->join_ctx, was, gl_half_mask(old), site, mask & ~gl_half_mask(old)) : 0;
            if (!site) { /* they cannot be joined: a side record keeps both */
                gl_store_release(cell.word, word); /* pairs with cell_lock() */
                return false;
            }
        }
    }
    gl_store_relaxed(gl_site_half(cell.sites, write), site); /* under the cell's lock */
    gl_store_release(cell.word, next);                       /* pairs with cell_lock() */
    return true;
}

#if defined(__x86_64__)
/* Two cells that lie side by side (the first at a 16-byte boundary), all bytes of both, in one step. */
static inline bool gl_access_quick_pair(struct gl_thread *t, struct gl_cell first, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, 0xF);
    uint64_t w0 = gl_load_acquire(&first.word[0]), w1 = gl_load_acquire(&first.word[1]); /* as above */
    uint64_t n0 = gl_plan(t, w0, mine, write), n1 = w1 == w0 ? n0 : gl_plan(t, w1, mine, write);
    if (!n0 || !n1)
        return false;
    bool taken;
    __asm__ volatile("lock cmpxchg16b %1" /* a full fence: pairs with cell_unlock(), cell_lock() */
                     : "=@ccz"(taken), "+m"(*(unsigned __int128 *)first.word), "+a"(w0), "+d"(w1)
                     : "b"(GL_CELL_LOCKED), "c"(GL_CELL_LOCKED)
                     : "memory");
    if (!taken)
        return false;
    gl_store_relaxed(gl_site_half(&first.sites[0], write), site); /* under the cells' locks */
    gl_store_relaxed(gl_site_half(&first.sites[1], write), site);
    gl_store_release(&first.word[0], n0); /* pairs with cell_lock() */
    gl_store_release(&first.word[1], n1);
    return true;
}
#else
static inline bool gl_access_quick_pair(struct gl_thread *t, struct gl_cell first, bool write, uint32_t site)
{
    (void)t, (void)first, (void)write, (void)site;
    return false; /* no double-width compare-and-swap: one cell after the other */
}
#endif

/* Does the cell's side record, read without its lock, hold an access of the thread's current segment (`key`) to all
 * bytes of `mask` that covers a plain read or write (docs/concurrency.md, F.3)?  word: what *place held. */
static inline bool gl_side_hit(struct gl_sides *sides, _Atomic uint64_t *place, uint64_t word, uint32_t key,
                               uint32_t mask, bool write)
{
    struct gl_side *r = gl_side_at(sides, gl_cell_side(word));
    uint32_t counts = __atomic_load_n(&r->counts, __ATOMIC_ACQUIRE); /* acquire: pairs with cell_unlock() */
    uint32_t n = (counts & 0xFFFF) + (write ? 0 : counts >> 16), room = gl_side_capacity(r->cls);
    if (n > room)
        n = room;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t half = __atomic_load_n(&r->entry[i].half, __ATOMIC_RELAXED); /* only compared with our own segment */
        if (((half ^ (key | mask)) & (~0xFu | mask)) == 0) {
            atomic_thread_fence(memory_order_acquire); /* the entry is read before the word is looked at again */
            return gl_load_acquire(place) == word;     /* still the record of this cell */
        }
    }
    return false;
}

#endif
