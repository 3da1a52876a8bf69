/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that comes and goes: heap blocks, mappings, stacks.  Fresh memory forgets its accesses; a
 * free is a write of the whole block, so that an unordered use of it is a race.
 *
 * A heap block is described in the marks of its first 24 bytes (the smallest block that malloc makes), so a
 * block costs no allocation of ours.  Blocks of a program's own heap may lie closer together: of 16 bytes the first two marks tell, one of 8
 * bytes is not described.
 */
#include "core/atomic.h"
#include "native/intercept.h"
#include "native/omp.h"
#include "native/owner.h"
#include "native/record.h"
#include "symbol/dynamic.h"

/* 1st mark: START | stack; 2nd: tid + 1, and OF_16 if there is no other; 3rd: size in bytes, or from 2^30 on in pages, and the 4th the bytes beyond them. */
#define START RT_HEAP_START
#define OF_16 0x40000000u /* not START, which a look back for a block goes by */
#define SIZE_IN_PAGES 0x40000000u

/* Ranges at least this long are freshened page by page, as whole pages that nobody has.  Smaller ones would cost more: sections of all threads are awaited when a
 * page of theirs was shared. */
#define LARGE_FROM (256u << 10)
/* Whole pages of cells of memory that is used next are cleared when the range is shorter, else given back: memory that comes back zeroed costs a
 * fault for each page, twice when it is read first, several times what clearing does. */
#define DISCARD_FROM (32u << 20)

/* Of a stack, at its top: what most threads use at once. */
#define STACK_KEPT (16u << 10)

/* Whole cells, of one page. */
static void fresh_in_page(uintptr_t a, uintptr_t end)
{
    bool own = rt_section_begin(a);
    for (; a < end; a += 4) {
        uint64_t word = gl_load_relaxed(rt_cell_word(a)); /* relaxed: see gl_cell_fresh() */
        if (word == 0)
            continue;
        bool plain = word >> 32 < GL_CELL_LOCKED >> 32;
        if (own && plain)
            gl_store_relaxed(rt_cell_word(a), 0);
        else if (!plain || !gl_cas_acq_rel(rt_cell_word(a), &word, 0)) /* in one step: pairs with gl_cell_lock() */
            gl_cell_fresh(rt.core, rt_cell(a), 0xF);
    }
    rt_section_end();
}

static void fresh_cells(uintptr_t a, uintptr_t end)
{
    while (a < end) {
        uintptr_t next = (a | RT_PAGE_MASK) + 1;
        if (next > end)
            next = end;
        /* acquire: pairs with rt_page_claim(); 0: nobody was ever here */
        if (gl_load_acquire(rt_owner(a)) != 0 && !(next - a == RT_PAGE && rt_page_unfreed(a)))
            fresh_in_page(a, next);
        a = next;
    }
}

static void fresh_head_or_tail(uintptr_t a, uintptr_t end)
{
    if (a >= end)
        return;
    uint32_t mask = ((1u << (end - a)) - 1) << (a & 3);
    (void)rt_section_begin(a);
    gl_cell_fresh(rt.core, rt_cell(a), mask);
    rt_section_end();
}

_Alignas(8) _Atomic uint8_t rt_regions[RT_REGIONS];

void rt_page_mark(uintptr_t a, uint8_t flag)
{
    _Atomic uint8_t *page = rt_page(a);
    if (gl_load_acquire(page) & flag) /* acquire: who sees the flag, and what comes after him, sees the region's */
        return;
    gl_store_relaxed(rt_region(a), 1); /* relaxed: sticky; who freshens the page saw its accesses ordered, a sweep is alone */
    atomic_fetch_or_explicit(page, flag, memory_order_acq_rel);
}

/* A region at a time, or eight pages: a program may reserve terabytes. */
uintptr_t rt_page_next(uintptr_t page, uintptr_t end, uint8_t flag)
{
    uint64_t any = 0x0101010101010101ull * flag;
    while (page < end) {
        if (page % RT_REGION == 0 && end - page >= RT_REGION && !gl_load_relaxed(rt_region(page))) /* relaxed: as flags */
            page += RT_REGION;
        else if ((page >> RT_PAGE_SHIFT) % 8 == 0 && page + 8 * RT_PAGE <= end &&
                 !(*(const volatile uint64_t *)rt_page(page) & any)) /* relaxed: flags are sticky */
            page += 8 * RT_PAGE;
        else if (gl_load_relaxed(rt_page(page)) & flag)
            return page;
        else
            page += RT_PAGE;
    }
    return end;
}

/* Cells that are plain words, of a whole page. */
static void clear_page(uintptr_t page)
{
    (void)rt_section_begin(page); /* whose page it was is done with it */
    __builtin_memset((void *)rt_cell_at(page), 0, RT_PAGE * 4);
    rt_section_end();
}

/* The cells of [from, to), whole pages.  Those without side records hold plain words: their memory is dropped.  Whether there are any is looked at
 * once: a page is dropped, or else cleared. */
static void discard(uintptr_t from, uintptr_t to)
{
    uintptr_t run = from;
    for (uintptr_t page = rt_page_next(from, to, RT_PAGE_SIDE); page < to; page = rt_page_next(page + RT_PAGE, to, RT_PAGE_SIDE)) {
        gl_os_discard(rt_cell_at(run), (page - run) * 4);
        fresh_cells(page, page + RT_PAGE);
        run = page + RT_PAGE;
    }
    gl_os_discard(rt_cell_at(run), (to - run) * 4);
}

/* [a, end), whole cells. */
static void fresh_large(uintptr_t a, uintptr_t end, bool used_next)
{
    uintptr_t from = (a + RT_PAGE_MASK) & ~RT_PAGE_MASK, to = end & ~RT_PAGE_MASK;
    bool keep = used_next && to - from < DISCARD_FROM;
    fresh_cells(a, from);
    for (uintptr_t page = rt_page_next(from, to, RT_PAGE_USED); page < to; page = rt_page_next(page + RT_PAGE, to, RT_PAGE_USED)) {
        if (gl_load_acquire(rt_owner(page)) == 0 || rt_page_unfreed(page)) /* acquire: as above */
            continue;
        if (!keep) {
            (void)rt_section_begin(page); /* as in clear_page() */
            rt_section_end();
        } else if (gl_load_relaxed(rt_page(page)) & RT_PAGE_SIDE) {
            fresh_in_page(page, page + RT_PAGE);
        } else {
            clear_page(page);
        }
    }
    if (!keep)
        discard(from, to);
    rt_pages_fresh(from, to - from);
    fresh_cells(to, end);
}

void rt_shadow_fresh(uintptr_t p, size_t n, bool used_next)
{
    uintptr_t end = p + n, a = (p + 3) & ~3ul, to = end & ~3ul;
    if (a > to) { /* within one word */
        fresh_head_or_tail(p, end);
        return;
    }
    fresh_head_or_tail(p, a);
    if (to - a >= LARGE_FROM)
        fresh_large(a, to, used_next);
    else
        fresh_cells(a, to);
    fresh_head_or_tail(to, end);
}

void rt_memory_fresh(struct rt_thread *t, uintptr_t p, size_t n)
{
    if (!rt_address_ok(p) || n == 0 || !rt_address_ok(p + n - 1))
        return;
    rt_shadow_fresh(p, n, false);
    rt_record_alloc(t, p, n, 0);
    rt_sync_forget_range(p, n, true);
}

void rt_stack_fresh(struct rt_thread *t, uintptr_t lo, uintptr_t hi)
{
    if (!rt_address_ok(lo) || hi - lo <= STACK_KEPT || !rt_address_ok(hi - 1))
        return rt_memory_fresh(t, lo, hi - lo);
    rt_shadow_fresh(lo, hi - STACK_KEPT - lo, false);
    rt_shadow_fresh(hi - STACK_KEPT, STACK_KEPT, true);
    rt_record_alloc(t, lo, hi - lo, 0);
    rt_sync_forget_range(lo, hi - lo, true);
}

/* The first block of the heap is about to begin in the page of `a`. Where blocks lie close together, and this is the next WINDOW of a
 * heap that grows, its marks get their memory at once: a page fault takes several times what clearing the page does. */
static __attribute__((noinline)) void marks_ahead(uintptr_t a)
{
    enum { WINDOW = 1 << 16, GROUPS = WINDOW / 4096, CLOSE = GROUPS / 4 * 3 };
    const uint32_t any = 0x01010101u * RT_PAGE_HEAP;
    uintptr_t window = a & ~(uintptr_t)(WINDOW - 1);
    const volatile uint32_t *flags = (const volatile uint32_t *)rt_page(window - WINDOW); /* of 4096 bytes; only a guess is drawn from them */
    unsigned before = 0;
    for (unsigned i = 0; i < GROUPS; i++) {
        before += (flags[i] & any) != 0;
        if (flags[GROUPS + i] & any)
            return; /* it had its chance */
    }
    if (before >= CLOSE)
        gl_os_populate((uintptr_t)rt_mark(window), WINDOW);
}
_Static_assert(RT_PAGE * 4 == 4096 && sizeof(struct rt_mark) == 8, "marks_ahead()");

/* room: of bytes in whose marks it may be described. */
static inline void block_begins(struct rt_thread *t, uintptr_t a, size_t n, size_t room, uintptr_t pc)
{
    rt_shadow_fresh(a, n, true);
    rt_record_alloc(t, a, n, pc);
    if (room < 16)
        return;
    if (RT_UNLIKELY(!(gl_load_relaxed(rt_page(a)) & RT_PAGE_HEAP))) /* relaxed: a guess */
        marks_ahead(a);
    rt_page_mark(a, RT_PAGE_HEAP); /* for reports */
    struct rt_mark *m = rt_mark(a);
    /* relaxed: read by reports only; a block that moves under a report is described wrongly at worst */
    gl_store_relaxed(&m[1].heap, (t->tid + 1) | (room < 24 ? OF_16 : 0));
    if (room >= 24)
        gl_store_relaxed(&m[2].heap, n < SIZE_IN_PAGES ? (uint32_t)n : SIZE_IN_PAGES | (uint32_t)(n >> 12));
    if (RT_UNLIKELY(n >= SIZE_IN_PAGES))
        gl_store_relaxed(&m[3].heap, (uint32_t)n & 4095);
    gl_store_relaxed(&m[0].heap, START | rt_stack_here(t, pc)); // ids are below 2^30
}

void rt_heap_alloc(struct rt_thread *t, void *p, size_t n, uintptr_t pc)
{
    if (rt_address_ok((uintptr_t)p))
        block_begins(t, (uintptr_t)p, n, 24, pc);
}

void rt_heap_alloc_tight(struct rt_thread *t, uintptr_t p, size_t n, uintptr_t pc) { block_begins(t, p, n, n, pc); }

static size_t size_of(const struct rt_mark *m)
{
    uint32_t n = gl_load_relaxed(&m[1].heap) & OF_16 ? 16 : gl_load_relaxed(&m[2].heap);
    return n & SIZE_IN_PAGES ? (size_t)(n & ~SIZE_IN_PAGES) << 12 | (gl_load_relaxed(&m[3].heap) & 4095) : n;
}

bool rt_heap_size(const void *p, size_t *n)
{
    uintptr_t a = (uintptr_t)p;
    const struct rt_mark *m = rt_mark(a);
    if (!rt.up || a % 8 || !rt_address_ok(a) || !(gl_load_relaxed(&m[0].heap) & START))
        return false;
    *n = size_of(m);
    return true;
}

/* Code of libc, and of the dynamic linker.  Set before there are threads. */
static struct {
    uintptr_t lo;
    size_t size;
} libc_code, linker_code;

void rt_heap_know_libraries(void)
{
    void *in_libc = rt_real_find("pthread_create"), *in_linker = rt_real_find("__tls_get_addr");
    if (!in_linker || !gl_module_span((uintptr_t)in_linker, &linker_code.lo, &linker_code.size) ||
        (uintptr_t)&rt - linker_code.lo < linker_code.size) /* in one with us: a program that opens no libraries */
        linker_code.size = 0;
    else if (!in_libc || !gl_module_span((uintptr_t)in_libc, &libc_code.lo, &libc_code.size))
        libc_code.size = 0;
}

bool rt_heap_maybe_called_by_libc(uintptr_t pc) { return !libc_code.size || rt_heap_called_by_libc(pc); }
bool rt_heap_called_by_libc(uintptr_t pc) { return pc - libc_code.lo < libc_code.size || pc - linker_code.lo < linker_code.size; }

/* The dynamic linker's own block, which libc or the linker gives back: thread-local variables of a library that was opened, most of
 * all.  They are those of a thread that has ended, which a creation of another thread knows from the kernel. */
static bool is_linkers(const struct rt_mark *m, uintptr_t pc)
{
    uintptr_t made;
    return RT_UNLIKELY(rt_heap_called_by_libc(pc)) &&
           rt_stack_pcs(gl_load_relaxed(&m[0].heap) & ~START, &made, 1) == 1 && made - linker_code.lo < linker_code.size;
}

size_t rt_heap_free(struct rt_thread *t, void *p, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)p;
    struct rt_mark *m = rt_mark(a);
    if (!rt_address_ok(a) || !(gl_load_relaxed(&m[0].heap) & START))
        return 0; /* allocated before we were up, or not by malloc */
    size_t n = size_of(m);
    if (!rt_tls.ignore_accesses && !rt_openmp_code(pc) && !is_linkers(m, pc)) {
        rt_free_range(t, a, n, rt_site(t, pc, RT_WIDTH_FREE));
        rt_sync_free_range(t, a, n, pc);
    } else {
        rt_sync_forget_range(a, n, false);
    }
    gl_store_relaxed(&m[0].heap, gl_load_relaxed(&m[0].heap) & ~START); /* the stack stays, for rt_heap_was() */
    return n;
}

void rt_heap_forget(uintptr_t p, size_t n)
{
    for (uintptr_t a = p; a < p + n; a += 8) {
        _Atomic uint32_t *start = &rt_mark(a)->heap;
        uint32_t word = gl_load_relaxed(start); /* relaxed: as in rt_heap_alloc() */
        if (word & START)
            gl_store_relaxed(start, word & ~START);
    }
}

void rt_heap_move(uintptr_t src, uintptr_t dst, size_t n)
{
    for (uintptr_t page = dst & ~RT_PAGE_MASK; page < dst + n; page += RT_PAGE)
        rt_page_mark(page, RT_PAGE_HEAP);
    for (size_t i = 0; i < n; i += 8) {
        size_t at = dst > src ? n - 8 - i : i; /* so that nothing is overwritten that is still to be read */
        _Atomic uint32_t *from = &rt_mark(src + at)->heap;
        gl_store_relaxed(&rt_mark(dst + at)->heap, gl_load_relaxed(from)); /* relaxed: as in rt_heap_alloc() */
        gl_store_relaxed(from, 0);
    }
}

bool rt_heap_was(uintptr_t a, uint32_t *stack, uint32_t *tid)
{
    struct rt_mark *m = rt_mark(a);
    *stack = gl_load_relaxed(&m[0].heap) & ~START;
    *tid = (gl_load_relaxed(&m[1].heap) & ~OF_16) - 1;
    return a % 16 == 0 && *stack && *tid < rt.n_threads;
}

/* Blocks are found by going back from the address to the nearest start; pages in which none starts are passed over
 * whole.  Reports only. */
bool rt_heap_find(uintptr_t a, struct rt_block *out)
{
    const uintptr_t farthest = 1ul << 32;
    uintptr_t at = a & ~7ul;
    while (rt_address_ok(at) && a - at < farthest) {
        if (!gl_load_relaxed(rt_region(at))) {
            at = (at & ~(RT_REGION - 1)) - 8;
            continue;
        }
        if (!(gl_load_relaxed(rt_page(at)) & RT_PAGE_HEAP)) {
            at = (at & ~RT_PAGE_MASK) - 8;
            continue;
        }
        struct rt_mark *m = rt_mark(at);
        uint32_t start = gl_load_relaxed(&m[0].heap);
        if (start & START) {
            *out = (struct rt_block){
                .start = at, .size = size_of(m), .stack = start & ~START, .tid = (gl_load_relaxed(&m[1].heap) & ~OF_16) - 1};
            return a < at + out->size;
        }
        at -= 8;
    }
    return false;
}
