/* SPDX-License-Identifier: Apache-2.0
 *
 * See table.h.
 */
#include "peers/table.h"

#include <string.h>

#define ROOT_MIN 64u

void *gl_table_grow(struct gl_table *tab, struct gl_pool *pool, uint64_t number, size_t element,
                    unsigned shift)
{
    if (number >= GL_TABLE_MAX)
        return NULL;
    uint64_t i = number >> shift;
    if (i >= tab->leaves) {
        uint64_t leaves = tab->leaves ? tab->leaves : ROOT_MIN;
        while (leaves <= i)
            leaves *= 2;
        char **leaf = gl_pool_take(pool, leaves * sizeof *leaf);
        if (!leaf)
            return NULL;
        if (tab->leaves)
            memcpy(leaf, tab->leaf, tab->leaves * sizeof *leaf);
        gl_pool_give(pool, tab->leaf, tab->leaves * sizeof *leaf);
        tab->leaf = leaf;
        tab->leaves = leaves;
    }
    if (!tab->leaf[i])
        tab->leaf[i] = gl_pool_take(pool, element << shift);
    return tab->leaf[i] ? tab->leaf[i] + (number & (((uint64_t)1 << shift) - 1)) * element : NULL;
}
