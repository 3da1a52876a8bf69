/* SPDX-License-Identifier: Apache-2.0
 *
 * The page arena: zeroed blocks that live long.  Each size class has its own lock, its free list and
 * the chunk it is cutting; classes share nothing, chunks are never returned.
 *
 *     class   0   1   2   3   4   5   6  ...  31      32
 *     bytes  16  24  32  48  64  96 128  ...  768 Ki  1 Mi     (over 1 MiB: mapped singly)
 *
 * Invariant: every byte of a block on a free list is zero but for the link in its first word, and
 * every byte of a chunk not yet cut is zero.  So allocation clears at most one word, and the cost
 * of clearing falls on free().
 *
 * Alignment: the largest power of two that divides the class's bytes, at most a page; a block of
 * more than 24 bytes is therefore always 16-byte aligned.
 *
 * Lock rank: innermost, in the order of the classes.  Nothing is called under a class lock but the
 * kernel.
 */
#include "platform/platform.h"

#include <string.h>

enum {
    CLASSES = 33,
    SMALLEST_LOG2 = 4,
    LARGEST = 1 << 20,
    CHUNK_MIN = 64 << 10,
    CHUNK_MAX = 4 << 20,
    GIVE_BACK = 256 << 10 /* freed blocks from here on return their pages; a multiple of any page size, as
                           * are all larger classes */
};

struct size_class {
    struct gl_spin lock; /* guards all of this */
    void *free;          /* list through the first word */
    char *next, *end;    /* the chunk being cut */
} __attribute__((aligned(64)));

static struct size_class size_class[CLASSES];
static size_t mapped; /* bytes; relaxed: a statistic */

static size_t class_bytes(unsigned c)
{
    return ((size_t)(c & 1 ? 3 : 2) << (SMALLEST_LOG2 - 1)) << (c >> 1);
}

static unsigned class_of(size_t bytes)
{
    if (bytes <= 16)
        return 0;
    unsigned log2 = 63u - (unsigned)__builtin_clzll(bytes - 1); /* 2^log2 < bytes <= 2^(log2+1) */
    unsigned c = (log2 - SMALLEST_LOG2) * 2;
    return bytes <= class_bytes(c + 1) ? c + 1 : c + 2;
}

static size_t round_to_page(size_t bytes)
{
    size_t page = gl_os_page_size();
    return (bytes + page - 1) & ~(page - 1);
}

static void *map_counted(size_t bytes)
{
    void *p = gl_os_map(bytes);
    if (p)
        __atomic_fetch_add(&mapped, bytes, __ATOMIC_RELAXED);
    return p;
}

static bool new_chunk_locked(struct size_class *k, size_t block)
{
    size_t bytes = block * 32;
    bytes = bytes < CHUNK_MIN ? CHUNK_MIN : bytes > CHUNK_MAX ? CHUNK_MAX : bytes;
    char *p = map_counted(bytes);
    if (!p)
        return false;
    k->next = p;
    k->end = p + bytes;
    return true;
}

void *gl_arena_alloc(size_t bytes)
{
    if (bytes > LARGEST)
        return bytes > SIZE_MAX / 2 ? NULL : map_counted(round_to_page(bytes));
    unsigned c = class_of(bytes);
    size_t block = class_bytes(c);
    struct size_class *k = &size_class[c];
    void *p = NULL;
    gl_spin_lock(&k->lock);
    if (k->free) {
        p = k->free;
        memcpy(&k->free, p, sizeof k->free);
        memset(p, 0, sizeof k->free);
    } else if ((size_t)(k->end - k->next) >= block || new_chunk_locked(k, block)) {
        p = k->next;
        k->next += block;
    }
    gl_spin_unlock(&k->lock);
    return p;
}

void gl_arena_free(void *p, size_t bytes)
{
    if (!p)
        return;
    if (bytes > LARGEST) {
        bytes = round_to_page(bytes);
        gl_os_unmap(p, bytes);
        __atomic_fetch_sub(&mapped, bytes, __ATOMIC_RELAXED);
        return;
    }
    unsigned c = class_of(bytes);
    struct size_class *k = &size_class[c];
    if (class_bytes(c) >= GIVE_BACK)
        gl_os_discard((uintptr_t)p, class_bytes(c));
    else
        memset(p, 0, class_bytes(c)); /* the whole block: nothing says how much of it was used */
    gl_spin_lock(&k->lock);
    memcpy(p, &k->free, sizeof k->free);
    k->free = p;
    gl_spin_unlock(&k->lock);
}

void gl_arena_fork_before(void)
{
    for (unsigned c = 0; c < CLASSES; c++)
        gl_spin_lock(&size_class[c].lock);
}

void gl_arena_fork_after(void)
{
    for (unsigned c = CLASSES; c-- > 0;)
        gl_spin_unlock(&size_class[c].lock);
}

size_t gl_arena_bytes(void)
{
    return __atomic_load_n(&mapped, __ATOMIC_RELAXED);
}
