/* SPDX-License-Identifier: Apache-2.0
 *
 * What reports and the search for deadlocks know of locks, by their serials: chunks that are made when the first of their locks is, and
 * given back by a sweep (sweep.c) when none of them is there, held by an access that memory remembers, or named for good.
 *
 * Any thread, any time; rt_locks_use_named(), rt_locks_forget(): alone.
 */
#include "core/atomic.h"
#include "core/sweep.h"
#include "native/sync_object.h"

static struct {
    _Atomic(struct rt_lock_info *) info[RT_LOCK_CHUNKS]; /* odd: nothing is told there any more */
    _Atomic uint64_t named[RT_LOCK_CHUNKS / 64];         /* a bit for each: rt_lock_named() */
} map;

uint32_t rt_lock_number_new(struct rt_sync *s, uint32_t *serial)
{
    uint32_t n = gl_lock_serial(rt.core);
    *serial = n;
    if (n / RT_LOCK_CHUNK >= RT_LOCK_CHUNKS)
        return s->number; /* 0, most likely: it is not told in reports */
    _Atomic(struct rt_lock_info *) *place = &map.info[n / RT_LOCK_CHUNK];
    if (!gl_load_acquire(place)) {
        struct rt_lock_info *fresh = gl_os_map(RT_LOCK_CHUNK * sizeof *fresh), *was = NULL;
        if (!fresh)
            return s->number;
        if (gl_cas_acq_rel(place, &was, fresh)) /* release: pairs with rt_lock_info() */
            gl_core_sweep_sooner(rt.core, RT_LOCK_CHUNK * sizeof *fresh);
        else
            gl_os_unmap(fresh, RT_LOCK_CHUNK * sizeof *fresh);
    }
    if (!s->number)
        s->number = n;
    gl_load_acquire(place)[n % RT_LOCK_CHUNK] =
        (struct rt_lock_info){.addr = s->addr, .create_stack = s->create_stack, .number = s->number, .kind = (uint16_t)s->kind};
    return s->number;
}

#define GONE 1u /* in a pointer of map.info */
_Static_assert(RT_LOCK_CHUNK * sizeof(struct rt_lock_info) % 4096 == 0, "whole pages");

struct rt_lock_info *rt_lock_entry(uint32_t serial)
{
    struct rt_lock_info *chunk = serial && serial / RT_LOCK_CHUNK < RT_LOCK_CHUNKS ? gl_load_acquire(&map.info[serial / RT_LOCK_CHUNK]) : NULL;
    if (!chunk || ((uintptr_t)chunk & GONE))
        return NULL;
    return chunk[serial % RT_LOCK_CHUNK].number ? &chunk[serial % RT_LOCK_CHUNK] : NULL;
}

void rt_lock_named(uint32_t cookie)
{
    uint32_t k = cookie / RT_LOCK_CHUNK;
    if (k < RT_LOCK_CHUNKS)
        atomic_fetch_or_explicit(&map.named[k / 64], 1ull << k % 64, memory_order_relaxed); /* relaxed: a sweep is alone */
}

void rt_locks_use_named(struct rt_used *chunks)
{
    for (uint32_t i = 0; i <= chunks->n / 64 && i < sizeof map.named / sizeof map.named[0]; i++)
        chunks->bits[i] |= gl_load_relaxed(&map.named[i]); /* relaxed: nobody else is here */
}

/* Whose thread looks at an entry without the runtime (deadlock.c) may still do so: the addresses stay, and say that there is none. */
void rt_locks_forget(const struct rt_used *chunks)
{
    for (uint32_t k = 0; k < chunks->n; k++) {
        struct rt_lock_info *chunk = gl_load_relaxed(&map.info[k]); /* relaxed: nobody else writes it now */
        if (!chunk || ((uintptr_t)chunk & GONE) || rt_is_used(chunks, k))
            continue;
        gl_store_relaxed(&map.info[k], (struct rt_lock_info *)((uintptr_t)chunk | GONE));
        gl_os_discard((uintptr_t)chunk, RT_LOCK_CHUNK * sizeof *chunk);
    }
}

bool rt_lock_info(uint32_t serial, struct rt_lock_info *out)
{
    const struct rt_lock_info *entry = rt_lock_entry(serial);
    if (entry)
        *out = *entry;
    return entry != NULL;
}
