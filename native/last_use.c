/* SPDX-License-Identifier: Apache-2.0
 *
 * The last use of a lock by another thread, which the lock's end has to come after (docs/concurrency.md, D.7).
 */
#include "core/sweep.h"
#include "native/sync_object.h"

bool rt_last_use(struct rt_thread *t, const struct rt_sync *s, struct rt_last_use *out)
{
    bool is_mutex = s->kind == RT_MUTEX || s->kind == RT_SPIN, is_lock = is_mutex || s->kind == RT_RWLOCK;
    if (!is_lock || s->own || !s->lock_pc || s->lock_tid == t->tid || s->lock_sweeps != gl_core_sweeps(rt.core) || rt.recording)
        return false;
    if (is_mutex ? gl_sync_before(t->core, &s->mutex.sync)
                 : gl_sync_before(t->core, &s->rwlock.written) && gl_sync_before(t->core, &s->rwlock.read))
        return false;
    *out = (struct rt_last_use){.addr = s->addr, .pc = s->lock_pc, .tid = s->lock_tid, .path = s->lock_path};
    return true;
}

void rt_last_use_tell(struct rt_thread *t, const struct rt_last_use *use, uintptr_t a, size_t n, unsigned width, uintptr_t pc)
{
    struct rt_finding f = {.addr = a, .size = n, .at = use->addr - a, .bytes = 1, .word = use->addr & ~3ul, .site = rt_site(t, pc, width)};
    uint32_t then = rt_depot_place(&t->caches->depot, use->path,
                                   rt_depot_word(RT_DEPOT_ACCESS, rt_site_place(0, RT_WIDTH_OBJECT, use->pc & RT_DEPOT_PC)));
    f.race = (struct gl_race){.object = a,
                              .bytes = 1,
                              .now = {.thread = t->tid, .site = f.site, .write = true},
                              .then = {.thread = use->tid, .site = then},
                              .then_bytes = (uint8_t)(1u << (use->addr & 3)),
                              .now_segment = t->core->segment};
    rt_found(t, &f, 1);
}
