/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/env.h"

#include <stdint.h>
#include <unistd.h>

#include "platform/platform.h"

enum { HUGE_FROM = 4 << 20 };

static void *map(void *ctx, size_t bytes)
{
    struct gl_counted_env *e = ctx;
    size_t now = atomic_fetch_add_explicit(&e->bytes, bytes, memory_order_relaxed) + bytes;
    void *p = now <= e->limit ? gl_os_map(bytes) : NULL;
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
    gl_os_unmap(p, bytes);
}

static void pause_cpu(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}

void gl_counted_env_init(struct gl_counted_env *e)
{
    e->env = (struct gl_env){.ctx = e, .map = map, .unmap = unmap, .pause = pause_cpu};
    atomic_init(&e->bytes, 0);
    atomic_init(&e->peak, 0);
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    e->limit = pages > 0 && page > 0 ? (size_t)pages * (size_t)page / 4 * 3 : SIZE_MAX;
}
