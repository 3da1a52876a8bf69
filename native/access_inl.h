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

#include "native/shadow.h"
#include "native/state.h"

/* Does half `h` say: plain access of the key's segment to all bytes of `mask`?  key 0 (no segment) never
 * matches: no half has bytes but no id. */
static inline bool rt_half_hit(uint32_t h, uint32_t key, uint32_t mask)
{
    return ((h ^ (key | mask)) & (~0xFu | mask)) == 0;
}

static inline bool rt_cell_hit(uintptr_t a, uint32_t mask, bool write, uint32_t key)
{
    uint64_t w = gl_load_relaxed(rt_cell_word(a)); /* relaxed: only compared with our own segment */
    return rt_half_hit((uint32_t)(w >> 32), key, mask) || (!write && rt_half_hit((uint32_t)w, key, mask));
}

/* size: 1, 2, 4, 8, 16; any alignment. */
static inline bool rt_filter(uintptr_t a, unsigned size, bool write)
{
    uint32_t key = rt_tls.key;
    uint32_t first = a & 3;
    if (size <= 4) {
        uint32_t mask = ((1u << size) - 1) << first;
        if (RT_LIKELY(mask <= 0xF))
            return rt_cell_hit(a, mask, write, key);
        return rt_cell_hit(a, mask & 0xF, write, key) && rt_cell_hit(a + 4, mask >> 4, write, key);
    }
    if (RT_LIKELY(first == 0)) {
        for (unsigned i = 0; i < size; i += 4)
            if (!rt_cell_hit(a + i, 0xF, write, key))
                return false;
        return true;
    }
    if (!rt_cell_hit(a, 0xF & (0xF << first), write, key))
        return false;
    for (unsigned i = 4; i < size; i += 4)
        if (!rt_cell_hit(a + i, 0xF, write, key))
            return false;
    return rt_cell_hit(a + size, 0xF >> (4 - first), write, key);
}

/* One access from the compiler's call. */
static inline void rt_access(const void *p, unsigned size, bool write, uintptr_t pc)
{
    if (RT_LIKELY(rt_filter((uintptr_t)p, size, write)))
        return;
    rt_access_slow((uintptr_t)p, size, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
}

#endif
