/* SPDX-License-Identifier: Apache-2.0
 *
 * How a synchronization object is found, inline: each lock and unlock does it (sync.c, sync_lock.c).
 */
#ifndef GL_NATIVE_SYNC_FIND_H
#define GL_NATIVE_SYNC_FIND_H

#include "core/atomic.h"
#include "native/omp.h"
#include "native/sync_object.h"

#define RT_SYNC_CHUNKS (1u << 16)
extern _Atomic(struct rt_sync_chunk *) rt_sync_chunks[RT_SYNC_CHUNKS]; /* only grow */

static inline struct rt_sync *rt_sync_at(uint32_t number)
{
    return &gl_load_acquire(&rt_sync_chunks[number / RT_SYNC_CHUNK])->object[number % RT_SYNC_CHUNK]; /* pairs with object_new() */
}

/* In the list of addr's mark; under the stripe, or as a hint. */
static inline __attribute__((always_inline)) struct rt_sync *rt_sync_seek(uintptr_t addr, uint32_t kind, bool to_lock)
{
    uint32_t number = gl_load_acquire(&rt_mark(addr)->sync); /* pairs with rt_sync_get_slow() */
    if (RT_UNLIKELY(!rt_sync_is_object(number)))
        return NULL;
    struct rt_sync *s = rt_sync_at(number);
    if (to_lock) { /* both lines at once, and to be written: most likely another processor has them */
        __builtin_prefetch(s, 1);
        __builtin_prefetch((const char *)s + 64, 1);
    }
    for (unsigned hops = 0; hops < 64; hops++) { /* without the stripe we may have strayed */
        if (RT_LIKELY(s->addr == addr && s->kind == kind))
            return s;
        if (!(number = gl_load_acquire(&s->next)))
            return NULL;
        s = rt_sync_at(number);
    }
    return NULL;
}

static inline bool rt_sync_is(const struct rt_sync *s, uintptr_t addr, uint32_t kind)
{
    return s->addr == addr && s->kind == kind;
}

/* What rt_sync_get() does when the object was not found at once. */
struct rt_sync *rt_sync_get_slow(struct rt_thread *t, uintptr_t addr, uint32_t kind, bool make, uintptr_t pc, struct gl_spin **stripe);

/* The object, locked.  NULL: there is none and !make, or no memory (then checking stops).  With `stripe` and
 * no object: *stripe is left locked. */
static inline __attribute__((always_inline)) struct rt_sync *rt_sync_get(struct rt_thread *t, uintptr_t addr, uint32_t kind, bool make,
                                                                         uintptr_t pc, struct gl_spin **stripe)
{
    struct rt_sync *s = rt_sync_seek(addr, kind, true);
    if (RT_LIKELY(s)) {
        gl_spin_lock(&s->lock);
        if (RT_LIKELY(rt_sync_is(s, addr, kind))) {
            s->pc = pc;
            return s;
        }
        gl_spin_unlock(&s->lock);
    }
    return rt_sync_get_slow(t, addr, kind, make, pc, stripe);
}

/* Made at pc: is it no order of the program? */
static inline bool rt_sync_unseen(uintptr_t pc)
{
    return rt_tls.ignore_sync || rt_openmp_code(pc);
}

#endif
