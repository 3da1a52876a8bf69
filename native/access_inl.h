/* SPDX-License-Identifier: Apache-2.0
 *
 * The filter: "this thread, this segment, these bytes, an access at least as strong: already seen".
 * It is in front of the engine, never a second copy of its rules; what it lets through goes to
 * rt_access_slow(), its slow twin (which finds the same and does nothing).
 *
 * Why it may return early: covers() of core/cell.c for the same segment.  A read is covered by a read or
 * a write, a write by a write; the mask must hold all bytes.  The word may change at any time:
 * whatever it was when we read it, this thread's access was then recorded in the open segment, so
 * that any conflicting access since has found the race (docs/concurrency.md, F.1).
 */
#ifndef GL_NATIVE_ACCESS_INL_H
#define GL_NATIVE_ACCESS_INL_H

#include "core/cell_inl.h"
#include "native/shadow.h"
#include "native/state.h"

/* The key for a filter, before it loads a word: a handler of a signal between the two may take an id that the word had in a former
 * life (docs/concurrency.md, L.3).  acquire: keeps the loads in this order. */
static inline __attribute__((always_inline)) uint32_t rt_filter_key(void)
{
    return __atomic_load_n(&rt_tls.key, __ATOMIC_ACQUIRE);
}

/* Does half `h` say: plain access of the key's segment to all bytes of `mask`?  key 0 (no segment) never
 * matches: no half has bytes but no id. */
static inline bool rt_half_hit(uint32_t h, uint32_t key, uint32_t mask)
{
    return ((h ^ (key | mask)) & (~0xFu | mask)) == 0;
}

/* Does the cache know `h` as a group with an access of the key's segment to all bytes of `mask`? */
static inline bool rt_group_hit(uint32_t h, uint32_t key, uint32_t mask)
{
    const struct rt_member *m = &rt_tls.member[(h >> GL_HALF_SHIFT) % RT_MEMBERS];
    return m->group == h && rt_half_hit(m->mine, key, mask);
}

/* Does a cell's word say that the key's segment made this access? */
static inline __attribute__((always_inline)) bool rt_word_hit(uint64_t w, uint32_t mask, bool write,
                                                              uint32_t key)
{
    return rt_half_hit((uint32_t)(w >> 32), key, mask) ||
           (!write && (rt_half_hit((uint32_t)w, key, mask) || rt_group_hit((uint32_t)w, key, mask)));
}

static inline __attribute__((always_inline)) bool rt_cell_hit(uintptr_t a, uint32_t mask, bool write,
                                                              uint32_t key)
{
    return rt_word_hit(gl_load_relaxed(rt_cell_word(a)), mask, write,
                       key); /* relaxed: only compared with our own segment */
}

/* size: 1, 2, 4, 8, 16; any alignment. */
static inline __attribute__((always_inline)) bool rt_filter(uintptr_t a, unsigned size, bool write)
{
    uint32_t key = rt_filter_key();
    uint32_t first = a & 3;
    if (size <= 4) {
        uint32_t mask = ((1u << size) - 1) << first;
        if (RT_LIKELY(mask <= 0xF))
            return rt_cell_hit(a, mask, write, key);
        return rt_cell_hit(a, mask & 0xF, write, key) && rt_cell_hit(a + 4, mask >> 4, write, key);
    }
    if (RT_LIKELY(a % 8 == 0)) {
        for (unsigned i = 0; i < size; i += 8) { /* most often both cells of a pair have the same word */
            const _Atomic uint64_t *cell = rt_cell_word(a + i);
            uint64_t w0 = gl_load_relaxed(&cell[0]),
                     w1 = gl_load_relaxed(&cell[1]); /* relaxed: as in rt_cell_hit() */
            if (!rt_word_hit(w0, 0xF, write, key) || (w0 != w1 && !rt_word_hit(w1, 0xF, write, key)))
                return false;
        }
        return true;
    }
    if (!rt_cell_hit(a, 0xF & (0xF << first), write, key))
        return false;
    for (unsigned i = 4; i + first < size; i += 4)
        if (!rt_cell_hit(a + i, 0xF, write, key))
            return false;
    return rt_cell_hit(a + size - 4 + (first ? 4 : 0), first ? 0xF >> (4 - first) : 0xF, write, key);
}

/* After a change of the cell of `a`: marks the page when the cell needed a side record, so that forgetting finds it. */
static inline void rt_mark_side(uintptr_t a)
{
    if (RT_UNLIKELY(gl_load_relaxed(rt_cell_word(a)) >> 32 == GL_CELL_SIDE) &&
        !(gl_load_acquire(rt_page(a)) & RT_PAGE_SIDE)) /* acquire: as in rt_page_mark() */
        rt_page_mark(a, RT_PAGE_SIDE); /* rt_shadow_fresh() of memory that is being accessed is a race of the program */
}

/* One cell. */
static inline int rt_access_cell(struct rt_thread *t, uintptr_t a, uint32_t mask, unsigned kind,
                                 uint32_t site, struct gl_race *race)
{
    int raced = gl_access(t->core, rt_cell(a), mask, kind, site, race);
    rt_mark_side(a);
    return raced;
}

/* One cell on a page of the thread's own, whatever it holds.  False: nothing was done. */
static inline __attribute__((always_inline)) bool rt_access_own(struct gl_thread *t, uintptr_t a,
                                                                uint32_t mine, bool write, uint32_t site)
{
    struct gl_cell cell = rt_cell(a);
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    bool done = (word >> 32 == GL_CELL_SIDE ? gl_side_seen_alone(cell, mine, write)
                                            : gl_access_alone(t, cell, mine, write, site) || rt_group_seen(word, mine, write)) ||
                gl_access_parts_alone(t, cell, mine, write, site);
    rt_mark_side(a);
    return done;
}

/* Was this access to a cell on a page of the thread's own seen, also when that is in a side record? */
static inline bool rt_own_seen(uintptr_t a, uint32_t mine, bool write)
{
    struct gl_cell cell = rt_cell(a);
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    return word >> 32 == GL_CELL_SIDE ? gl_side_seen_alone(cell, mine, write)
                                      : rt_word_hit(word, mine & 0xF, write, mine & ~0xFu);
}

/* Is the half none, or a plain access known to be ordered before?  Nothing is asked that is not at hand. */
static inline __attribute__((always_inline)) bool rt_at_hand(const struct gl_thread *t, uint32_t half)
{
    uint32_t id = gl_half_segment(half);
    return !half || ((t->before[id % GL_BEFORE] == id || gl_is_own(t, id)) && !(half & GL_HALF_ATOMIC));
}

/* One cell of a page of the thread's own, when all that the access meets is at hand and no other bytes are to be kept but those of
 * its segment and site; or when it was seen.  False: nothing was done. */
static inline __attribute__((always_inline)) bool
rt_cell_at_hand(const struct gl_thread *t, uintptr_t at, uint32_t key, uint32_t mask, bool write, uint32_t site)
{
    struct gl_cell cell = rt_cell(at);
    uint64_t word = gl_load_relaxed(cell.word); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, old = write ? w : r;
    if (rt_half_hit(w, key, mask) || (!write && rt_half_hit(r, key, mask)))
        return true;
    _Atomic uint32_t *place = gl_site_half(cell.sites, write);
    if ((write && (r & 0xF)) || !rt_at_hand(t, write ? 0 : w))
        return false;
    if (old & ~mask & 0xF) {
        if ((old ^ key) > 0xF || gl_load_relaxed(place) != site)
            return false;
        mask |= old & 0xF;
    } else if (!rt_at_hand(t, old)) {
        return false;
    }
    gl_site_store(place, site);
    gl_store_relaxed(cell.word,
                     write ? (uint64_t)(key | mask) << 32 : (word & 0xFFFFFFFF00000000ull) | key | mask);
    return true;
}

/* One access from the compiler's call.  No call but the last thing done: nothing is saved on the way to a hit. */
static inline __attribute__((always_inline)) void rt_access(const void *p, unsigned size, bool write,
                                                            uintptr_t pc)
{
    uintptr_t a = (uintptr_t)p;
    if (RT_UNLIKELY(size > 8 || a % size))
        return rt_access_odd(a, size, write, pc);
    const _Atomic uint64_t *cell = size == 8 ? (const _Atomic uint64_t *)rt_cell_at_8(a) : rt_cell_word(a);
    uint32_t key = rt_filter_key(), mask = size >= 4 ? 0xF : ((1u << size) - 1) << (a & 3);
    uint64_t w0 = gl_load_relaxed(cell); /* relaxed: as in rt_cell_hit() */
    if (RT_LIKELY(rt_word_hit(w0, mask, write, key))) {
        if (size < 8)
            return;
        uint64_t w1 = gl_load_relaxed(&cell[1]);
        if (RT_LIKELY(w0 == w1) || rt_word_hit(w1, mask, write, key))
            return;
    }
    if (size == 1)
        return write ? rt_miss_write1(a, pc) : rt_miss_read1(a, pc);
    if (size == 2)
        return write ? rt_miss_write2(a, pc) : rt_miss_read2(a, pc);
    if (size == 4)
        return write ? rt_miss_write4(a, pc) : rt_miss_read4(a, pc);
    return write ? rt_miss_write8(a, pc) : rt_miss_read8(a, pc);
}

#endif
