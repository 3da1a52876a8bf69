/* SPDX-License-Identifier: Apache-2.0
 *
 * Checked accesses behind the filter: single ones and ranges.
 */
#include "core/cell_inl.h"
#include "native/access_inl.h"

/* One cell; marks the page when the cell needed a side record, so that forgetting finds it. */
static inline int access_cell(struct rt_thread *t, uintptr_t a, uint32_t mask, unsigned kind, uint32_t site,
                              struct gl_race *race)
{
    struct gl_cell cell = rt_cell(a);
    int raced = gl_access(t->core, cell, mask, kind, site, race);
    if (RT_UNLIKELY(gl_load_relaxed(cell.word) >> 32 == GL_CELL_SIDE)) {
        _Atomic uint8_t *page = rt_page(a);
        /* relaxed: rt_shadow_fresh() of memory that is being accessed is a race of the program */
        if (!(gl_load_relaxed(page) & RT_PAGE_SIDE))
            atomic_fetch_or_explicit(page, RT_PAGE_SIDE, memory_order_relaxed);
    }
    return raced;
}

/* The filter's question again, for one cell, also when the answer is in a side record: data that several threads
 * read, words of which only some bytes were seen. */
static inline bool cell_seen(uintptr_t at, uint32_t mask, bool write, uint32_t key)
{
    uint64_t w = gl_load_acquire(rt_cell_word(at)); /* acquire: pairs with cell_unlock() */
    if (w >> 32 == GL_CELL_SIDE)
        return key && gl_side_hit(rt.sides, rt_cell_word(at), w, key, mask, write);
    return rt_half_hit((uint32_t)(w >> 32), key, mask) || (!write && rt_half_hit((uint32_t)w, key, mask));
}

static bool all_seen(struct rt_thread *t, uintptr_t a, unsigned size, bool write)
{
    for (uintptr_t at = a; at < a + size;) {
        uint32_t first = at & 3, n = 4 - first;
        if (n > a + size - at)
            n = (uint32_t)(a + size - at);
        if (!cell_seen(at, ((1u << n) - 1) << first, write, rt_tls.key))
            return false;
        at += n;
    }
    t->core->count[GL_COUNT_seen_beside]++;
    return true;
}

static unsigned width_of(unsigned size)
{
    return size == 1 ? RT_WIDTH_1 : size == 2 ? RT_WIDTH_2 : size == 4 ? RT_WIDTH_4 : size == 8 ? RT_WIDTH_8 : RT_WIDTH_16;
}

void rt_access_inside(struct rt_thread *t, uintptr_t a, unsigned size, unsigned kind, uintptr_t pc,
                      struct rt_findings *f)
{
    f->n = 0;
    if (RT_UNLIKELY(!rt_address_ok(a))) {
        rt_count(RT_COUNT_access_outside);
        return;
    }
    uint32_t site = rt_site(t, pc, width_of(size));
    bool plain = !(kind & GL_ACCESS_ATOMIC);
    for (uintptr_t at = a; at < a + size;) {
        if (plain && at % 8 == 0 && a + size - at >= 8 &&
            gl_access_quick_pair(t->core, rt_cell(at), kind & GL_ACCESS_WRITE, site)) {
            t->core->count[GL_COUNT_quick_pair]++;
            at += 8;
            continue;
        }
        uint32_t first = at & 3, n = 4 - first;
        if (n > a + size - at)
            n = (uint32_t)(a + size - at);
        uint32_t mask = ((1u << n) - 1) << first;
        struct gl_race race;
        int raced = plain && cell_seen(at, mask, kind & GL_ACCESS_WRITE, rt_tls.key)
                        ? 0
                        : access_cell(t, at, mask, kind, site, &race);
        if (RT_UNLIKELY(raced < 0)) {
            rt_count(RT_COUNT_access_no_memory);
        } else if (RT_UNLIKELY(raced > 0)) {
            /* One for each earlier place: a wide access may race with several. */
            struct rt_finding *last = f->n ? &f->found[f->n - 1] : NULL;
            if (!last || last->race.then.site != race.then.site)
                f->found[f->n++] = (struct rt_finding){.addr = a, .size = size, .word = at & ~3ul, .site = site, .race = race};
            f->found[f->n - 1].bytes |= (uint64_t)((uint32_t)raced >> first) << (at - a);
        }
        at += n;
    }
}

__attribute__((noinline)) void rt_access_slow(uintptr_t a, unsigned size, unsigned kind, uintptr_t pc)
{
    struct rt_thread *t = rt_tls.self;
    if (RT_UNLIKELY(!t || rt_tls.depth || rt_tls.ignore_accesses)) {
        if (rt_tls.depth) {
            rt_count(RT_COUNT_access_in_runtime);
            return;
        }
        if (rt_tls.ignore_accesses)
            return;
        t = rt_enter();
        if (t)
            rt_leave();
        else
            return;
    }
    if (all_seen(t, a, size, kind & GL_ACCESS_WRITE))
        return;
    rt_enter_always();
    struct rt_findings f;
    rt_access_inside(t, a, size, kind, pc, &f);
    rt_tell(t, &f);
    rt_leave();
}

/* Aligned runs of cells that the filter knows are skipped four bytes at a time. */
void rt_access_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site)
{
    if (n == 0)
        return;
    if (RT_UNLIKELY(!rt_address_ok(a) || !rt_address_ok(a + n - 1))) {
        rt_count(RT_COUNT_access_outside);
        return;
    }
    bool write = (kind & GL_ACCESS_WRITE) != 0;
    uint32_t told = 0; /* where the earlier access was of the race told last: one report for all its bytes */
    for (uintptr_t at = a, end = a + n; at < end;) {
        uint32_t first = at & 3, k = 4 - first;
        if (k > end - at)
            k = (uint32_t)(end - at);
        uint32_t mask = ((1u << k) - 1) << first;
        if (!rt_cell_hit(at, mask, write, rt_tls.key)) {
            struct gl_race race;
            int raced = access_cell(t, at, mask, kind, site, &race);
            if (RT_UNLIKELY(raced < 0))
                rt_count(RT_COUNT_access_no_memory);
            else if (RT_UNLIKELY(raced > 0) && (told != race.then.site || rt_handler_is_set())) {
                told = race.then.site;
                rt_found(t, &(struct rt_finding){.addr = a,
                                                 .size = n,
                                                 .at = at - a,
                                                 .bytes = (uint32_t)raced >> first,
                                                 .word = at & ~3ul,
                                                 .site = site,
                                                 .race = race});
            }
        }
        at += k;
    }
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
