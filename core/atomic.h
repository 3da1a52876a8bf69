/* SPDX-License-Identifier: Apache-2.0
 *
 * C11 atomics with the order in the name, so that `grep release` finds them all.
 */
#ifndef GL_CORE_ATOMIC_H
#define GL_CORE_ATOMIC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/env.h"

/* Inlined wherever it is called: its constant arguments leave little of it. */
#define GL_HOT __attribute__((always_inline))

#define gl_load_relaxed(p) atomic_load_explicit((p), memory_order_relaxed)
#define gl_load_acquire(p) atomic_load_explicit((p), memory_order_acquire)
#define gl_store_relaxed(p, v) atomic_store_explicit((p), (v), memory_order_relaxed)
#define gl_store_release(p, v) atomic_store_explicit((p), (v), memory_order_release)
#define gl_add_relaxed(p, v) atomic_fetch_add_explicit((p), (v), memory_order_relaxed)
#define gl_cas_acquire(p, old, v) \
    atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_acquire, memory_order_relaxed)
#define gl_cas_release(p, old, v) \
    atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_release, memory_order_relaxed)
#define gl_cas_acq_rel(p, old, v) \
    atomic_compare_exchange_strong_explicit((p), (old), (v), memory_order_acq_rel, memory_order_acquire)

/* A short lock for the core's rare paths and for its objects.  Not recursive; held only over code
 * that never blocks (at most over a replay of the log). */
struct gl_lock {
    _Atomic uint32_t held;
};

static inline bool gl_lock_try(struct gl_lock *l)
{
    uint32_t zero = 0;
    /* acquire: pairs with gl_lock_drop() */
    return gl_load_relaxed(&l->held) == 0 && gl_cas_acquire(&l->held, &zero, 1);
}

static inline void gl_lock_take(struct gl_lock *l, const struct gl_env *env)
{
    for (unsigned n = 0; !gl_lock_try(l); n++)
        env->pause(env->ctx, n);
}

static inline void gl_lock_drop(struct gl_lock *l)
{
    /* release: pairs with gl_lock_try() */
    gl_store_release(&l->held, 0);
}

#endif
