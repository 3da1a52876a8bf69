/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of accesses: what a loop will read or write, told once before it begins (native/llvm/rows.cpp).
 *
 * Why the verdict is the same as access by access: between the call and the last access of the loop the thread does nothing that synchronizes (the
 * compiler's pass sees to that) and no handler of a signal runs (they are kept back, intercept_signal.c), so that all of it is in one segment;
 * and the accesses are certain to come (docs/concurrency.md, F.18).
 */
#include "native/access_inl.h"
#include "native/sample.h"

#define PAIRS 4 /* looked at together */
typedef uint64_t two_words __attribute__((vector_size(16)));

/* Where, from `at` on, a multiple of 8, the first pair of cells is in which the segment has not made this access. */
static inline __attribute__((always_inline)) uintptr_t after_seen(uintptr_t at, uintptr_t end, bool write)
{
    uint32_t key = rt_filter_key();
    uint64_t seen = (uint64_t)(key | 0xF) << 32; /* key 0: no word is that */
    while (end - at >= 8) {
        const _Atomic uint64_t *cell = (const _Atomic uint64_t *)rt_cell_at_8(at);
        /* Each half is read at once, as by gl_load_relaxed(); that two are read together says nothing. */
        const volatile two_words *words = (const volatile two_words *)cell;
        two_words all = {seen, seen}, other = {0};
        for (; end - at >= 8 * PAIRS; at += 8 * PAIRS, words += 2 * PAIRS) {
            for (unsigned i = 0; i < PAIRS; i++)
                other |= words[2 * i] ^ all;
            if (other[0] | other[1])
                break;
        }
        if (end - at < 8)
            break;
        cell = (const _Atomic uint64_t *)rt_cell_at_8(at);
        uint64_t w0 = gl_load_relaxed(&cell[0]), w1 = gl_load_relaxed(&cell[1]); /* relaxed: as in rt_cell_hit() */
        if (w0 != seen || w1 != seen) {
            if (!rt_word_hit(w0, 0xF, write, key) || !rt_word_hit(w1, 0xF, write, key))
                break;
            seen = w0;
        }
        at += 8;
    }
    return at;
}

/* What the filter does not know, with all that lies in a page with it; else one by one. */
static __attribute__((noinline)) void row(uintptr_t a, size_t count, size_t step, unsigned size, bool write, uintptr_t pc)
{
    while (count) {
        size_t done = 0;
        if (rt_filter(a, size, write))
            done = 1;
        else if (count > 1)
            done = rt_row_short(a, count, step, size, write, pc, rt_width_of(size));
        if (!done) {
            rt_access((const void *)a, size, write, pc);
            done = 1;
        }
        a += done * step;
        count -= done;
    }
}

int goldilocks_rt_rows_1(void);
RT_EXPORT int goldilocks_rt_rows_1(void)
{
    /* A handler, a debugger or the end comes right before an access; and what has no key is recorded, ignored, or may be cancelled anywhere. */
    if (rt.options.on_race != RT_ON_RACE_REPORT || rt_handler_is_set() || rt.recording || rt_sample.limit || rt_tls.ignore_accesses ||
        rt_tls.async_cancel)
        return 0;
    if (!rt_tls.self || rt_tls.depth || rt_tls.loop != RT_LOOP_NONE) /* RT_LOOP_FAULT: the handler's end goes back to the loop */
        return 0;
    rt_tls.loop_faulted = false;
    rt_tls.loop = RT_LOOP_RUNS;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* what comes now is of the segment that all of the loop is in */
    return 1;
}

void goldilocks_rt_row_1(const void *p, uint64_t count, int64_t step, uint32_t what);
RT_EXPORT void goldilocks_rt_row_1(const void *p, uint64_t count, int64_t step, uint32_t what)
{
    uintptr_t a = (uintptr_t)p, pc = RT_CALLER();
    unsigned size = what >> 1;
    bool write = what & 1;
    if (step == 0) {
        rt_access((const void *)a, size, write, pc);
        return;
    }
    if (step < 0) { /* from the other end */
        a += (uint64_t)step * (count - 1);
        step = -step;
    }
    if ((uint64_t)step == size && size <= 8 && a % 8 == 0) {
        size_t seen = (after_seen(a, a + count * size, write) - a) / size;
        a += seen * size;
        count -= seen;
    }
    if (count)
        row(a, count, (size_t)step, size, write, pc);
}

void goldilocks_rt_rows_end_1(void);
RT_EXPORT void goldilocks_rt_rows_end_1(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    rt_tls.loop = RT_LOOP_NONE;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(__atomic_load_n(&rt_tls.pending, __ATOMIC_RELAXED)))
        rt_deliver_pending();
}
