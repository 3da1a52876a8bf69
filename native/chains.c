/* SPDX-License-Identifier: Apache-2.0
 *
 * See chains.h.
 */
#include "native/chains.h"
#include "platform/platform.h"

enum { FIRST_BITS = 4 };

static void put(struct rt_chains *c, struct rt_chained *node)
{
    struct rt_chained **chain = rt_chain(c, node->hash);
    node->next = *chain;
    *chain = node;
}

static void grow(struct rt_chains *c)
{
    struct rt_chains more = {.n = c->n, .bits = c->table ? c->bits + 1 : FIRST_BITS};
    size_t bytes = sizeof(struct rt_chained *) << more.bits;
    more.table = gl_arena_alloc(bytes);
    if (!more.table)
        return;
    for (size_t i = 0; i < rt_chains_count(c); i++)
        for (struct rt_chained *at = *rt_chain_number(c, i), *next; at; at = next) {
            next = at->next;
            put(&more, at);
        }
    rt_chains_free(c);
    *c = more;
}

void rt_chain_add(struct rt_chains *c, struct rt_chained *node, uint64_t hash)
{
    if (c->n >= rt_chains_count(c))
        grow(c);
    node->hash = hash;
    put(c, node);
    c->n++;
}

void rt_chain_remove(struct rt_chains *c, struct rt_chained *node)
{
    struct rt_chained **link = rt_chain(c, node->hash);
    while (*link != node)
        link = &(*link)->next;
    *link = node->next;
    c->n--;
}

void rt_chains_free(struct rt_chains *c)
{
    if (c->table)
        gl_arena_free(c->table, sizeof(struct rt_chained *) << c->bits);
    *c = (struct rt_chains){0};
}
