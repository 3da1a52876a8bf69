/* SPDX-License-Identifier: Apache-2.0
 *
 * Nodes in chains by their hash, and a table of chains that grows with what is in it.
 *
 *     struct own { struct rt_chained link; uintptr_t addr; ... };         the link comes first
 *     uint64_t hash = rt_hash(addr);
 *     for (struct rt_chained *at = *rt_chain(&owns, hash); at; at = at->next)
 *         if (((struct own *)at)->addr == addr) ...
 *     rt_chain_add(&owns, &o->link, hash);
 *
 * Nodes are the caller's.  No lock of its own: one thread at a time.  Zero is an empty table.
 */
#ifndef GL_NATIVE_CHAINS_H
#define GL_NATIVE_CHAINS_H

#include <stddef.h>
#include <stdint.h>

struct rt_chained {
    struct rt_chained *next;
    uint64_t hash;
};

struct rt_chains {
    struct rt_chained **table; /* of 2^bits chains; NULL: all is in `only` */
    struct rt_chained *only;
    size_t n;
    unsigned bits;
};

/* Its high bits are good. */
static inline uint64_t rt_hash(uint64_t word) { return word * 0x9E3779B97F4A7C15ull; }

static inline size_t rt_chains_count(const struct rt_chains *c) { return c->table ? (size_t)1 << c->bits : 1; }

/* 0 .. rt_chains_count() - 1, in no order. */
static inline struct rt_chained **rt_chain_number(struct rt_chains *c, size_t i) { return c->table ? &c->table[i] : &c->only; }

/* The chain of all that have this hash, among others. */
static inline struct rt_chained **rt_chain(struct rt_chains *c, uint64_t hash)
{
    return c->table ? &c->table[hash >> (64 - c->bits)] : &c->only;
}

/* Where chains would get long and there is no memory for more, they get long. */
void rt_chain_add(struct rt_chains *c, struct rt_chained *node, uint64_t hash);
/* A node that is there. */
void rt_chain_remove(struct rt_chains *c, struct rt_chained *node);
/* The table is given back, the nodes are not; it is as good as new. */
void rt_chains_free(struct rt_chains *c);

#endif
