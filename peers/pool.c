/* SPDX-License-Identifier: Apache-2.0
 *
 * See pool.h.
 */
#include "peers/pool.h"

#include <string.h>

struct gl_pool_block {
    struct gl_pool_block *next;
    size_t bytes;
};

#define LINE ((size_t)64) /* of the cache: what is as large as one starts with one */
#define HEAD LINE         /* bytes of a block before its first piece: room for struct gl_pool_block */
#define FIRST_BLOCK ((size_t)4 << 10) /* each is twice the one before; small at first: a test lets each fail in turn */
#define LAST_BLOCK ((size_t)1 << 20)
#define SMALL ((size_t)256)

static unsigned class_of(size_t bytes)
{
    if (bytes <= SMALL)
        return (unsigned)((bytes + 15) / 16 - 1); /* 0..15 */
    return 16 + 63 - (unsigned)__builtin_clzll(bytes - 1) - 8; /* 257..512: 16 */
}

static size_t class_bytes(unsigned class)
{
    return class < 16 ? (class + 1) * (size_t)16 : SMALL << (class - 15);
}

void gl_pool_init(struct gl_pool *p, const struct gl_env *env)
{
    *p = (struct gl_pool){.env = *env, .block_bytes = FIRST_BLOCK};
}

static char *new_block(struct gl_pool *p, size_t bytes)
{
    struct gl_pool_block *b = gl_env_map_whole(&p->env, bytes);
    if (!b)
        return NULL;
    b->bytes = bytes;
    b->next = p->blocks;
    p->blocks = b;
    return (char *)b;
}

void *gl_pool_take(struct gl_pool *p, size_t bytes)
{
    if (bytes > SIZE_MAX / 4)
        return NULL;
    unsigned class = class_of(bytes);
    void *spare = p->spare[class];
    bytes = class_bytes(class);
    if (spare) {
        memcpy(&p->spare[class], spare, sizeof p->spare[class]);
        return memset(spare, 0, bytes);
    }
    size_t skip = bytes >= LINE ? -(uintptr_t)p->free & (LINE - 1) : 0;
    if ((size_t)(p->end - p->free) < bytes + skip) {
        if (bytes > p->block_bytes / 4) { /* a block of its own: the present one is not done */
            char *alone = new_block(p, bytes + HEAD);
            return alone ? alone + HEAD : NULL;
        }
        char *b = new_block(p, p->block_bytes);
        if (!b)
            return NULL;
        p->free = b + HEAD;
        skip = 0;
        p->end = b + p->block_bytes;
        if (p->block_bytes < LAST_BLOCK)
            p->block_bytes *= 2;
    }
    void *taken = p->free + skip;
    p->free += skip + bytes;
    return taken;
}

void gl_pool_give(struct gl_pool *p, void *memory, size_t bytes)
{
    if (!memory)
        return;
    void **spare = &p->spare[class_of(bytes)];
    memcpy(memory, spare, sizeof *spare);
    *spare = memory;
}

void *gl_pool_grow(struct gl_pool *p, void *array, size_t each, uint32_t *capacity, uint32_t need)
{
    if (need <= *capacity)
        return array;
    uint32_t more = *capacity ? *capacity : 4;
    while (more < need)
        if ((more *= 2) == 0)
            return NULL;
    void *grown = gl_pool_take(p, more * each);
    if (!grown)
        return NULL;
    if (*capacity) {
        memcpy(grown, array, *capacity * each);
        gl_pool_give(p, array, *capacity * each);
    }
    *capacity = more;
    return grown;
}

void gl_pool_end(struct gl_pool *p)
{
    struct gl_env env = p->env;
    for (struct gl_pool_block *b = p->blocks, *next; b; b = next) {
        next = b->next;
        env.unmap(env.ctx, b, b->bytes);
    }
}

static uint32_t home(const struct gl_map *m, uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    return (uint32_t)(key ^ key >> 32) & (m->capacity - 1);
}

uint64_t gl_map_find(const struct gl_map *m, uint64_t key)
{
    if (!m->capacity)
        return 0;
    uint32_t i = home(m, key);
    while (m->slot[i].value && m->slot[i].key != key)
        i = (i + 1) & (m->capacity - 1);
    return m->slot[i].value;
}

static void place(struct gl_map *m, uint64_t key, uint64_t value)
{
    uint32_t i = home(m, key);
    while (m->slot[i].value)
        i = (i + 1) & (m->capacity - 1);
    m->slot[i] = (struct gl_map_slot){key, value};
}

bool gl_map_add(struct gl_map *m, struct gl_pool *p, uint64_t key, uint64_t value)
{
    if (m->used >= m->capacity / 4 * 3) {
        struct gl_map grown = {.capacity = m->capacity ? m->capacity * 2 : 16};
        if (!grown.capacity || !(grown.slot = gl_pool_take(p, grown.capacity * sizeof *grown.slot)))
            return false;
        for (uint32_t i = 0; i < m->capacity; i++)
            if (m->slot[i].value)
                place(&grown, m->slot[i].key, m->slot[i].value);
        if (m->capacity)
            gl_pool_give(p, m->slot, m->capacity * sizeof *m->slot);
        grown.used = m->used;
        *m = grown;
    }
    place(m, key, value);
    m->used++;
    return true;
}
