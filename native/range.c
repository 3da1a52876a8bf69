/* SPDX-License-Identifier: Apache-2.0
 *
 * Checked accesses to ranges: what libc's functions read and write, memcpy, structures.
 */
#include "core/run.h"
#include "native/access_inl.h"
#include "native/omp.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/sample.h"

/* Whole pairs of cells from `at` on, up to the end of the page; in a section on it, and in a segment.  Returns where it ends: there, or
 * at a cell that needs more. */
static uintptr_t run(struct rt_thread *t, uintptr_t at, uintptr_t end, bool write, uint32_t site, bool own)
{
    uintptr_t page_end = (at & ~RT_PAGE_MASK) + RT_PAGE;
    size_t pairs = ((end < page_end ? end : page_end) - at) / 8;
    return at + 4 * gl_access_run(t->core, (struct gl_cell_pair *)rt_cell_at_8(at), pairs, 1, write, site, own);
}

/* Two cells that hold the same word, when all that the access meets is at hand; or when it was seen.  False: nothing was done. */
static inline __attribute__((always_inline)) bool pair_at_hand(struct gl_thread *t, uintptr_t at,
                                                               uint32_t key, bool write, uint32_t site)
{
    struct gl_cell cell = rt_cell_8(at);
    uint64_t word = gl_load_relaxed(&cell.word[0]); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, mine = key | 0xF;
    if (gl_load_relaxed(&cell.word[1]) != word)
        return false;
    if (w == mine || (!write && r == mine))
        return true;
    if (!rt_at_hand(t, w) || !rt_at_hand(t, r))
        return false;
    uint64_t next = write ? (uint64_t)mine << 32 : (word & 0xFFFFFFFF00000000ull) | mine;
    for (unsigned i = 0; i < 2; i++) {
        gl_site_store(gl_site_half(&cell.sites[i], write), site);
        gl_store_relaxed(&cell.word[i], next);
    }
    return true;
}

/* Data that several threads read: this one, too, in this segment?  Only where there may be more accesses than a word says. */
static inline __attribute__((always_inline)) bool seen_beside(uintptr_t at, uint32_t mask, bool write, uint32_t key)
{
    uint64_t word = gl_load_relaxed(rt_cell_word(at)); /* relaxed: a guess */
    return (word >> 32 == GL_CELL_SIDE || gl_half_is_group((uint32_t)word)) && rt_cell_seen(at, mask, write, key);
}

/* One cell of a page that others use, too. */
static inline __attribute__((always_inline)) bool cell_other(struct gl_thread *t, uintptr_t at, uint32_t mask, uint32_t key, bool write,
                                                             uint32_t site)
{
    struct gl_cell cell = rt_cell(at);
    uint64_t word = gl_load_acquire(cell.word); /* acquire: pairs with gl_cell_unlock() */
    if (rt_word_hit(word, mask, write, key) || seen_beside(at, mask, write, key))
        return true;
    if (word >> 32 == GL_CELL_SIDE ? !write && gl_access_reread(t, cell, word, key | mask, site)
                                   : gl_access_quick(t, cell, mask, write, site))
        return true;
    bool done = gl_access_parts(t, cell, key | mask, write, site);
    rt_mark_side(at);
    return done;
}

/* Pairs of cells where the range has them whole, else cells; in a section on their page.  False: it got to one that needs more. */
static inline __attribute__((always_inline)) bool cells(struct gl_thread *t, uintptr_t at, uintptr_t end,
                                                        uint32_t key, bool write, uint32_t site, bool own)
{
    while (at < end) {
        if (at % 8 == 0 && end - at >= 8 &&
            (own ? pair_at_hand(t, at, key, write, site)
                 : rt_filter(at, 8, write) || (seen_beside(at, 0xF, write, key) && seen_beside(at + 4, 0xF, write, key)) ||
                       gl_access_quick_pair(t, rt_cell_8(at), write, site))) {
            at += 8;
            continue;
        }
        uint32_t first = at & 3, n = end - at < 4 - first ? (uint32_t)(end - at) : 4 - first,
                 mask = ((1u << n) - 1) << first;
        if (own ? !rt_cell_at_hand(t, at, key, mask, write, site) &&
                      !rt_access_own(t, at, key | mask, write, site)
                : !cell_other(t, at, mask, key, write, site))
            return false;
        at += n;
    }
    return true;
}

static __attribute__((noinline)) bool cells_own(struct rt_tls *tls, uintptr_t a, size_t n, bool write,
                                                uint32_t site)
{
    return write ? cells(tls->engine, a, a + n, tls->key, true, site, true)
                 : cells(tls->engine, a, a + n, tls->key, false, site, true);
}
static __attribute__((noinline)) bool cells_shared(struct rt_tls *tls, uintptr_t a, size_t n, bool write,
                                                   uint32_t site)
{
    return write ? cells(tls->engine, a, a + n, tls->key, true, site, false)
                 : cells(tls->engine, a, a + n, tls->key, false, site, false);
}

/* Begins a section on the page of `a` without entering the runtime, for the site `pc`; *site: of an access of n bytes there.  False: that cannot be done in a
 * few instructions; short_end() is called all the same. */
static inline __attribute__((always_inline)) bool short_begin(struct rt_tls *tls, uintptr_t a, size_t n, uintptr_t pc, unsigned width,
                                                              bool *own, uint32_t *site)
{
    __atomic_store_n(&tls->inside, 1ull << 32 | 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* pairs with the membarrier of revoke() */
    uint32_t tag = __atomic_load_n(&tls->tag, __ATOMIC_RELAXED),
             owner = gl_load_acquire(rt_owner(a)); /* acquire: as in rt_section_begin() */
    *own = rt_owner_is(owner, tag);
    if (RT_UNLIKELY(!tls->key || !(*own || (owner == RT_OWNER_SHARED && tag > RT_NO_TAG)))) /* key: as in miss_at_hand() */
        return false;
    *site = width == RT_WIDTH_RANGE ? rt_range_site_known(tls, pc, n, &width) : rt_site_known(tls, pc, width);
    if (RT_UNLIKELY(!*site))
        *site = rt_site(tls->self, pc, width);
    return true;
}

static inline __attribute__((always_inline)) void short_end(struct rt_tls *tls)
{
    __atomic_store_n(&tls->inside, 0, __ATOMIC_RELEASE); /* pairs with revoke(), all_outside() */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(__atomic_load_n(&tls->pending, __ATOMIC_RELAXED)))
        rt_deliver_pending();
}

/* The filter's question for all of a range: a look at the cells, no section and no site. */
static inline bool range_seen(uintptr_t a, size_t n, bool write, uint32_t key)
{
    for (uintptr_t at = a, end = a + n; at < end;) {
        if (at % 8 == 0 && end - at >= 8) {
            if (!rt_filter(at, 8, write))
                return false;
            at += 8;
            continue;
        }
        uint32_t first = at & 3, k = end - at < 4 - first ? (uint32_t)(end - at) : 4 - first;
        if (!rt_cell_hit(at, ((1u << k) - 1) << first, write, key))
            return false;
        at += k;
    }
    return true;
}

bool rt_range_short(uintptr_t a, size_t n, bool write, uintptr_t pc, unsigned width)
{
    struct rt_tls *tls = &rt_tls;
    uint32_t key = rt_filter_key();
    if (RT_LIKELY(key) && (write ? range_seen(a, n, true, key) : range_seen(a, n, false, key)))
        return true;
    /* As in miss_at_hand(); and a range may be in two lines of which one is checked. */
    if (RT_UNLIKELY(!tls->key || tls->depth || (a & RT_PAGE_MASK) + n > RT_PAGE || !rt_address_ok(a) || rt_sample.limit))
        return false;
    bool own;
    uint32_t site = 0;
    bool done = short_begin(tls, a, n, pc, width, &own, &site);
    if (RT_LIKELY(done))
        done = own ? cells_own(tls, a, n, write, site) : cells_shared(tls, a, n, write, site);
    short_end(tls);
    return done;
}

/* Of `count` accesses of one size in a page, how many from the first on are simple; in a section.  Those side by side, or of whole pairs of cells,
 * are told pair by pair. */
static inline __attribute__((always_inline)) size_t row_in_page(struct rt_tls *tls, uintptr_t a, size_t count, size_t step, unsigned size,
                                                                bool write, uint32_t site, bool own)
{
    bool beside = step == size, pairs = beside || (size == 8 && step % 8 == 0);
    size_t done = 0;
    while (done < count) {
        uintptr_t at = a + done * step;
        if (pairs && at % 8 == 0) {
            size_t n = beside ? (count - done) * size / 8 : count - done,
                   cells = gl_access_run(tls->engine, (struct gl_cell_pair *)rt_cell_at_8(at), n, beside ? 1 : step / 8, write, site, own);
            done += cells * 4 / size;
            if (done == count)
                break;
            at = a + done * step;
        }
        if (!(own ? cells_own(tls, at, size, write, site) : cells_shared(tls, at, size, write, site)))
            break;
        done++;
    }
    return done;
}

size_t rt_row_short(uintptr_t a, size_t count, size_t step, unsigned size, bool write, uintptr_t pc, unsigned width)
{
    struct rt_tls *tls = &rt_tls;
    if (RT_UNLIKELY(!tls->key || tls->depth || (a & RT_PAGE_MASK) + size > RT_PAGE || !rt_address_ok(a) || rt_sample.limit))
        return 0; /* as in rt_range_short() */
    size_t here = (RT_PAGE - size - (a & RT_PAGE_MASK)) / step + 1, done = 0; /* those that end in the page */
    if (here > count)
        here = count;
    bool own;
    uint32_t site = 0;
    if (RT_LIKELY(short_begin(tls, a, size, pc, width, &own, &site)))
        done = write ? row_in_page(tls, a, here, step, size, true, site, own) : row_in_page(tls, a, here, step, size, false, site, own);
    short_end(tls);
    return done;
}

static inline __attribute__((always_inline)) void access_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind,
                                                               uint32_t site, bool frees)
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
    uintptr_t at = a, end = a + n;
    if (n <= RT_RANGE_SHORT && (a & RT_PAGE_MASK) + n <= RT_PAGE && rt_tls.key && !rt_sample.limit &&
        (own ? cells_own(&rt_tls, a, n, write, site) : cells_shared(&rt_tls, a, n, write, site)))
        at = end;
    while (at < end) {
        uint32_t first = at & 3, k = 4 - first;
        if (k > end - at)
            k = (uint32_t)(end - at);
        uint32_t mask = ((1u << k) - 1) << first;
        if (at != a && at % RT_PAGE == 0) {
            rt_section_end();
            if (frees && end - at >= RT_PAGE && rt_tls.key && !rt_sample.limit && rt_page_freed(at, rt_tls.key | 0xF, site)) {
                at += RT_PAGE;
                continue;
            }
            own = rt_section_begin(at);
        }
        uintptr_t stop = end;
        if (RT_UNLIKELY(rt_sample.limit)) { /* no run goes on into the next line */
            if (!rt_sampled(at)) {
                at = rt_sample_next(at);
                continue;
            }
            stop = end < rt_sample_next(at) ? end : rt_sample_next(at);
        }
        if (at % 8 == 0 && stop - at >= 8 && rt_tls.key) {
            uintptr_t done = run(t, at, stop, write, site, own);
            if (done != at) {
                at = done;
                continue;
            }
        }
        uint32_t key = rt_tls.key;
        if (!(key && (own ? rt_cell_hit(at, mask, write, key) || rt_access_own(t->core, at, key | mask, write, site)
                          : cell_other(t->core, at, mask, key, write, site)))) {
            struct gl_race race;
            int raced = rt_access_cell(t, at, mask, kind, site, &race);
            if (RT_UNLIKELY(raced < 0))
                rt_count(RT_COUNT_access_no_memory);
            else if (RT_UNLIKELY(raced > 0) && (told != race.then.site || rt_handler_is_set())) {
                told = race.then.site;
                rt_section_end();
                rt_found(t,
                         &(struct rt_finding){.addr = a,
                                              .size = n,
                                              .at = at - a,
                                              .bytes = (uint32_t)raced >> first,
                                              .word = at & ~3ul,
                                              .site = site,
                                              .race = race},
                         1);
                own = rt_section_begin(at);
            }
        }
        at += k;
    }
    rt_section_end();
}

void rt_access_range(struct rt_thread *t, uintptr_t a, size_t n, unsigned kind, uint32_t site)
{
    access_range(t, a, n, kind, site, false);
}

void rt_free_range(struct rt_thread *t, uintptr_t a, size_t n, uint32_t site)
{
    access_range(t, a, n, GL_ACCESS_WRITE, site, true);
}

static void range(struct rt_thread *t, const void *p, size_t n, unsigned kind, uintptr_t pc)
{
    if (rt_tls.ignore_accesses || n == 0 || rt_openmp_code(pc))
        return;
    unsigned width;
    uint32_t site = rt_range_site_known(&rt_tls, pc, n, &width);
    rt_access_range(t, (uintptr_t)p, n, kind, site ? site : rt_site(t, pc, width));
}

static void object_access(struct rt_thread *t, uintptr_t object, unsigned kind, uintptr_t pc)
{
    if (!rt_tls.ignore_accesses && !rt_tls.ignore_sync && !rt_openmp_code(pc))
        rt_access_range(t, object, 1, kind, rt_site(t, pc, RT_WIDTH_OBJECT));
}

void rt_object_used(struct rt_thread *t, uintptr_t object, uintptr_t pc) { object_access(t, object, GL_ACCESS_READ, pc); }

void rt_object_made(struct rt_thread *t, uintptr_t object, uintptr_t pc) { object_access(t, object, GL_ACCESS_WRITE, pc); }

static inline void range_outside(uintptr_t a, size_t n, bool write, uintptr_t pc)
{
    if (n == 0)
        return;
    if (n <= RT_RANGE_SHORT && !__atomic_load_n(&rt_openmp_used, __ATOMIC_RELAXED) && /* relaxed: see rt_openmp_library() */
        rt_range_short(a, n, write, pc, RT_WIDTH_RANGE))
        return;
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    range(t, (const void *)a, n, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, pc);
    rt_leave();
}

bool rt_range_reaches(uintptr_t a, size_t n) { return a + n > a && gl_os_is_readable(a + n - 1, 1); }

void rt_reads(uintptr_t a, size_t n, uintptr_t pc) { range_outside(a, n, false, pc); }
void rt_writes(uintptr_t a, size_t n, uintptr_t pc) { range_outside(a, n, true, pc); }

void rt_read_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc)
{
    range(t, p, n, GL_ACCESS_READ, pc);
}

void rt_write_range(struct rt_thread *t, const void *p, size_t n, uintptr_t pc)
{
    range(t, p, n, GL_ACCESS_WRITE, pc);
}
