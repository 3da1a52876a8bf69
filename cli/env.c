/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/env.h"

#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "platform/platform.h"

enum {
    PAGE = 4096,          /* the system's, or a part of it: then blocks are aligned by the largest power of two that divides their size */
    POOLED = 32 << 10,    /* up to here memory comes out of blocks: a system call each way, and a fault for each page, are dear, and a trace may have
                           * thousands of threads */
    BLOCK_FIRST = 64 << 10,
    BLOCK_MOST = 1 << 20, /* gets its memory a block at a time */
    HUGE_FROM = 4 << 20,
};

_Static_assert(POOLED / PAGE == GL_PAGE_CLASSES, "a list for each number of pages");

/* ---- small pieces ---- */

struct gl_page_piece {
    struct gl_page_piece *next;
};

struct gl_page_block {
    struct gl_page_block *next;
    size_t bytes;
};

/* Under the lock: whole pages behind the block's first one, which says what it is. */
static char *cut(struct gl_page_pool *p, size_t bytes)
{
    if ((size_t)(p->end - p->free) < bytes) {
        size_t size = p->blocks ? 2 * p->blocks->bytes : BLOCK_FIRST;
        if (size > BLOCK_MOST)
            size = BLOCK_MOST;
        struct gl_page_block *b = gl_os_map(size);
        if (!b)
            return NULL;
        gl_os_populate((uintptr_t)b, size);
        *b = (struct gl_page_block){.next = p->blocks, .bytes = size};
        p->blocks = b;
        p->free = (char *)b + PAGE; /* what was left of the block before is lost */
        p->end = (char *)b + size;
    }
    char *at = p->free;
    p->free += bytes;
    return at;
}

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) & ~(size_t)(PAGE - 1); }

static void *pool_take(struct gl_page_pool *p, size_t bytes)
{
    bytes = whole_pages(bytes);
    struct gl_page_piece **spare = &p->spare[bytes / PAGE - 1], *piece;
    gl_spin_lock(&p->lock);
    char *at = NULL;
    if ((piece = *spare)) {
        *spare = piece->next;
        at = (char *)piece;
    } else {
        at = cut(p, bytes);
    }
    p->live += at != NULL;
    gl_spin_unlock(&p->lock);
    if (piece)
        memset(at, 0, bytes);
    return at;
}

static void pool_give(struct gl_page_pool *p, void *at, size_t bytes)
{
    struct gl_page_piece **spare = &p->spare[whole_pages(bytes) / PAGE - 1], *piece = at;
    gl_spin_lock(&p->lock);
    piece->next = *spare;
    *spare = piece;
    if (--p->live == 0) {
        for (struct gl_page_block *b = p->blocks, *next; b; b = next) {
            next = b->next;
            gl_os_unmap(b, b->bytes);
        }
        memset(p->spare, 0, sizeof p->spare);
        p->blocks = NULL;
        p->free = p->end = NULL;
    }
    gl_spin_unlock(&p->lock);
}

/* ---- the environment ---- */

static void *map(void *ctx, size_t bytes)
{
    struct gl_counted_env *e = ctx;
    size_t now = atomic_fetch_add_explicit(&e->bytes, bytes, memory_order_relaxed) + bytes;
    void *p = NULL;
    if (now <= e->limit)
        p = bytes <= POOLED ? pool_take(&e->pool, bytes) : gl_os_map(bytes);
    if (!p) {
        atomic_fetch_sub_explicit(&e->bytes, bytes, memory_order_relaxed);
        return NULL;
    }
    if (bytes >= HUGE_FROM) /* tables that are used at random: fewer misses of the TLB, fewer page faults */
        gl_os_huge_pages((uintptr_t)p, bytes, true);
    size_t peak = atomic_load_explicit(&e->peak, memory_order_relaxed);
    /* relaxed: these are sums, and nothing is published by them */
    while (now > peak && !atomic_compare_exchange_weak_explicit(&e->peak, &peak, now, memory_order_relaxed,
                                                                memory_order_relaxed)) {
    }
    return p;
}

static void unmap(void *ctx, void *p, size_t bytes)
{
    struct gl_counted_env *e = ctx;
    atomic_fetch_sub_explicit(&e->bytes, bytes, memory_order_relaxed);
    if (bytes <= POOLED)
        pool_give(&e->pool, p, bytes);
    else
        gl_os_unmap(p, bytes);
}

static void soon(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    if (bytes > POOLED && bytes < HUGE_FROM) /* pieces have their memory; so will huge pages, at a fault or two */
        gl_os_populate((uintptr_t)p, bytes);
}

static void pause_cpu(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}

void gl_counted_env_init(struct gl_counted_env *e)
{
    *e = (struct gl_counted_env){.env = {.ctx = e, .map = map, .soon = soon, .unmap = unmap, .pause = pause_cpu}};
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    e->limit = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 4 * 3 : SIZE_MAX;
}
