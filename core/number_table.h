/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of a trace or of an embedder to elements, zeroed at first use: two levels that only grow, so that several
 * threads may look things up and add them at the same time.  For goldilocks*.c.
 */
#ifndef GL_CORE_NUMBER_TABLE_H
#define GL_CORE_NUMBER_TABLE_H

#include "core/atomic.h"
#include "core/detector.h"

#define LEAF (1u << 14)   /* elements */
#define LEAVES (1u << 14) /* 2^28 elements */

struct table {
    size_t element;        /* bytes */
    _Atomic uint32_t used; /* only leaves below may be there: an end looks at no others */
    _Atomic(char *) leaf[LEAVES];
};

/* The first use of a leaf.  NULL: no memory. */
static inline char *leaf_make(struct table *tab, uint32_t k, const struct gl_env *env)
{
    char *fresh = env->map(env->ctx, LEAF * tab->element), *was = NULL;
    if (!fresh)
        return NULL;
    if (k > 0 && env->soon && gl_load_relaxed(&tab->leaf[k - 1])) /* relaxed: advice.  Numbers that go on are used one and all */
        env->soon(env->ctx, fresh, LEAF * tab->element);
    if (!gl_cas_acq_rel(&tab->leaf[k], &was, fresh)) { /* release: pairs with table_find() */
        env->unmap(env->ctx, fresh, LEAF * tab->element);
        return was;
    }
    uint32_t used = gl_load_relaxed(&tab->used); /* relaxed: read at the end, by who has all threads behind it */
    while (used <= k && !atomic_compare_exchange_weak_explicit(&tab->used, &used, k + 1, memory_order_relaxed,
                                                               memory_order_relaxed)) {
    }
    return fresh;
}

/* The leaf of a number below LEAF * LEAVES; NULL: not there. */
static inline char *table_find(struct table *tab, uint64_t number)
{
    return gl_load_acquire(&tab->leaf[number / LEAF]); /* pairs with leaf_make() */
}

/* element: tab->element, as a constant.  NULL: see table_missing(). */
static inline void *table_at(struct table *tab, uint64_t number, size_t element, const struct gl_env *env)
{
    if (number >= (uint64_t)LEAF * LEAVES)
        return NULL;
    char *leaf = table_find(tab, number);
    if (__builtin_expect(!leaf, 0) && !(leaf = leaf_make(tab, (uint32_t)(number / LEAF), env)))
        return NULL;
    return leaf + number % LEAF * element;
}

/* Why there is no element. */
static inline gl_status table_missing(uint64_t number)
{
    return number >= (uint64_t)LEAF * LEAVES ? GL_LIMIT : GL_NOMEM;
}

static inline void table_fini(struct table *tab, const struct gl_env *env)
{
    for (uint32_t i = 0, n = gl_load_relaxed(&tab->used); i < n; i++)
        if (gl_load_relaxed(&tab->leaf[i]))
            env->unmap(env->ctx, gl_load_relaxed(&tab->leaf[i]), LEAF * tab->element);
}

#endif
