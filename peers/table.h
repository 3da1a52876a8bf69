/* SPDX-License-Identifier: Apache-2.0
 *
 * Number -> element, for numbers that are dense, or nearly so.  Two levels: a root of pointers, which doubles,
 * and leaves, which never move.  An element is zero until somebody changes it, and stays where it is.
 *
 * The size of an element and of a leaf are arguments, so that they are constants where a table is used.
 */
#ifndef GL_PEERS_TABLE_H
#define GL_PEERS_TABLE_H

#include "peers/pool.h"

#define GL_TABLE_MAX ((uint64_t)1 << 32) /* numbers are below */

struct gl_table {
    char **leaf;     /* the root: NULL where no element was made yet */
    uint64_t leaves; /* length of the root: 0 or a power of two */
};

/* Makes the leaf of the element.  NULL: no memory, or number >= GL_TABLE_MAX. */
void *gl_table_grow(struct gl_table *tab, struct gl_pool *pool, uint64_t number, size_t element,
                    unsigned shift);

/* The element, if its leaf (2^shift elements) was made; NULL otherwise. */
static inline void *gl_table_find(const struct gl_table *tab, uint64_t number, size_t element, unsigned shift)
{
    uint64_t i = number >> shift;
    char *leaf = i < tab->leaves ? tab->leaf[i] : NULL;
    return leaf ? leaf + (number & (((uint64_t)1 << shift) - 1)) * element : NULL;
}

/* The element, made when it is new.  NULL: no memory, or number >= GL_TABLE_MAX. */
static inline void *gl_table_at(struct gl_table *tab, struct gl_pool *pool, uint64_t number, size_t element,
                                unsigned shift)
{
    void *p = gl_table_find(tab, number, element, shift);
    return __builtin_expect(p != NULL, 1) ? p : gl_table_grow(tab, pool, number, element, shift);
}

#endif
