/* SPDX-License-Identifier: Apache-2.0
 *
 * Checked accesses to ranges: what libc's functions read and write, memcpy, structures.
 */
#include "core/run.h"
#include "native/access_inl.h"
#include "native/owner.h"
#include "native/record.h"

/* Whole pairs of cells from `at` on, up to the end of the page; in a section on it, and in a segment.  Returns where it ends: there, or
 * at a cell that needs more. */
static uintptr_t run(struct rt_thread *t, uintptr_t at, uintptr_t end, bool write, uint32_t site, bool own)
{
    uintptr_t page_end = (at & ~4095ul) + 4096;
    size_t pairs = ((end < page_end ? end : page_end) - at) / 8;
    return at + 4 * gl_access_run(t->core, (struct gl_cell_pair *)rt_cell_at_8(at), pairs, write, site, own);
}

void rt_access_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site)
{
    if (n == 0)
        return;
    if (RT_UNLIKELY(!rt_address_ok(a) || !rt_address_ok(a + n - 1))) {
        rt_count(RT_COUNT_access_outside);
        return;
    }
    if (RT_UNLIKELY(rt.recording))
        rt_record_range(t, a, n, kind, site);
    bool write = (kind & GL_ACCESS_WRITE) != 0;
    uint32_t told = 0; /* where the earlier access was of the race told last: one report for all its bytes */
    bool own = rt_section_begin(a);
    for (uintptr_t at = a, end = a + n; at < end;) {
        uint32_t first = at & 3, k = 4 - first;
        if (k > end - at)
            k = (uint32_t)(end - at);
        uint32_t mask = ((1u << k) - 1) << first;
        if (at != a && at % 4096 == 0) {
            rt_section_end();
            own = rt_section_begin(at);
        }
        if (at % 8 == 0 && end - at >= 8 && rt_tls.key) {
            uintptr_t done = run(t, at, end, write, site, own);
            if (done != at) {
                at = done;
                continue;
            }
        }
        if (!rt_cell_hit(at, mask, write, rt_tls.key) &&
            !(own && rt_tls.key && gl_access_alone(t->core, rt_cell(at), rt_tls.key | mask, write, site))) {
            struct gl_race race;
            int raced = rt_access_cell(t, at, mask, kind, site, &race);
            if (RT_UNLIKELY(raced < 0))
                rt_count(RT_COUNT_access_no_memory);
            else if (RT_UNLIKELY(raced > 0) && (told != race.then.site || rt_handler_is_set())) {
                told = race.then.site;
                rt_section_end();
                rt_found(t, &(struct rt_finding){.addr = a,
                                                 .size = n,
                                                 .at = at - a,
                                                 .bytes = (uint32_t)raced >> first,
                                                 .word = at & ~3ul,
                                                 .site = site,
                                                 .race = race});
                own = rt_section_begin(at);
            }
        }
        at += k;
    }
    rt_section_end();
}

static void range(struct rt_thread *t, const void *p, size_t n, unsigned kind, uintptr_t pc)
{
    if (rt_tls.ignore_accesses || n == 0)
        return;
    rt_access_range(t, (uintptr_t)p, n, kind, rt_site(t, pc, RT_WIDTH_RANGE));
}

void rt_read_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc)
{
    range(t, p, n, GL_ACCESS_READ, pc);
}

void rt_write_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc)
{
    range(t, p, n, GL_ACCESS_WRITE, pc);
}
