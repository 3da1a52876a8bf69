/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for a detector that makes many small things: taken from gl_env in blocks, given back as a whole.  And a
 * hash table of numbers.  One caller at a time.
 */
#ifndef GL_PEERS_POOL_H
#define GL_PEERS_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/env.h"

#define GL_POOL_CLASSES 56 /* sizes: multiples of 16 up to 256, then powers of two */

struct gl_pool {
    struct gl_env env;
    struct gl_pool_block *blocks; /* all memory, the newest first */
    char *free, *end;             /* what is left of the present block */
    size_t block_bytes;           /* of the next block */
    void *spare[GL_POOL_CLASSES]; /* given back, by size */
};

void gl_pool_init(struct gl_pool *p, const struct gl_env *env);

/* `bytes` (> 0) of zeroed memory, aligned to 16, from 64 bytes on to a cache line; NULL: there is none. */
void *gl_pool_take(struct gl_pool *p, size_t bytes);

/* Takes back what gl_pool_take(p, bytes) gave, for later takes of the same size; NULL is nothing. */
void gl_pool_give(struct gl_pool *p, void *memory, size_t bytes);

/* An array of *capacity elements, `each` bytes wide, made to hold at least `need` (old content kept, the rest zeroed).
 * NULL: no memory, and the old one is as it was. */
void *gl_pool_grow(struct gl_pool *p, void *array, size_t each, uint32_t *capacity, uint32_t need);

/* Gives everything back to the environment, also a struct gl_pool that lies in its own memory. */
void gl_pool_end(struct gl_pool *p);

/* ---- numbers to numbers ---- */

struct gl_map_slot {
    uint64_t key, value; /* value 0: the slot is free */
};

/* Zero-initialised = empty.  Open addressing; grows, and never forgets a key. */
struct gl_map {
    struct gl_map_slot *slot;
    uint32_t capacity; /* 0 or a power of two */
    uint32_t used;     /* <= capacity * 3 / 4 */
};

/* The value of a key, or 0. */
uint64_t gl_map_find(const struct gl_map *m, uint64_t key);

/* Adds a key that is not yet there; value != 0.  False: no memory. */
bool gl_map_add(struct gl_map *m, struct gl_pool *p, uint64_t key, uint64_t value);

#endif
