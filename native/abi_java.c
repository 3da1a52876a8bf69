/* SPDX-License-Identifier: Apache-2.0
 *
 * ThreadSanitizer's interface for virtual machines whose heap is moved by a collector: objects, their monitors, and order.
 *
 * The machine says of each object when it comes, moves and goes.  Moves and frees are made while no other thread of the program runs
 * code that is seen (a stopped world); everything else from any thread.  Addresses and sizes are multiples of 8.
 *
 * A move takes along what is known of the object: the accesses recorded, its locks, where it was made.  Ranges may overlap.  In a
 * recording the object is a new one from then on: races across a move are found while the program runs, not in the recording.
 */
#include "core/atomic.h"
#include "native/own_lock.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/state.h"

#define JAVA(ret, name, params, nothing, ...)                                                                \
    RT_EXPORT ret name params;                                                                               \
    RT_EXPORT ret name params                                                                                \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        struct rt_thread *t = rt_enter();                                                                    \
        (void)pc;                                                                                            \
        if (!t)                                                                                              \
            return nothing;                                                                                  \
        __VA_ARGS__;                                                                                         \
        rt_leave();                                                                                          \
    }

enum { ALIGNMENT = 8 };

static struct {
    uintptr_t lo, hi; /* of the heap; written once, before other threads know */
} heap;

static bool in_heap(uintptr_t p, uintptr_t n)
{
    return n && p % ALIGNMENT == 0 && n % ALIGNMENT == 0 && p >= heap.lo && p < heap.hi && n <= heap.hi - p;
}

/* What the machine says wrongly would be believed for ever. */
static void must_be_in_heap(const char *function, uintptr_t p, uintptr_t n)
{
    if (!in_heap(p, n))
        rt_die(
            "%s: 0x%lx and %lu bytes are not whole words inside the heap that __tsan_java_init() was told of",
            function, (unsigned long)p, (unsigned long)n);
}

JAVA(void, __tsan_java_init, (uintptr_t p, uintptr_t n), , {
    if (heap.hi || !n || p % ALIGNMENT || n % ALIGNMENT || !rt_address_ok(p) || !rt_address_ok(p + n - 1))
        rt_die("__tsan_java_init: the heap is given once, as whole words of mapped memory (0x%lx, %lu bytes)",
               (unsigned long)p, (unsigned long)n);
    heap.lo = p;
    heap.hi = p + n;
    rt_all_asked();
})

/* The exit code that the program should have. */
RT_EXPORT int __tsan_java_fini(void);
RT_EXPORT int __tsan_java_fini(void)
{
    struct rt_thread *t = rt_enter();
    int result = rt_finish(0);
    if (t)
        rt_leave();
    return result;
}

/* Who allocates is the innermost function that the machine runs, where it says which one that is: not the machine. */
static void object_begins(struct rt_thread *t, uintptr_t p, uintptr_t n, uintptr_t pc)
{
    struct rt_frame *top = rt_tls.top;
    bool told = top > rt_tls.base && top < rt_tls.limit && (top[-1].pc & RT_EXTERNAL_PC);
    if (told) {
        rt_tls.top--;
        pc = top[-1].pc;
    }
    rt_heap_alloc_tight(t, p, n, pc);
    rt_tls.top = top;
}

JAVA(void, __tsan_java_alloc, (uintptr_t p, uintptr_t n), , must_be_in_heap("__tsan_java_alloc", p, n);
     rt_sync_forget_range(p, n, true); object_begins(t, p, n, pc))

/* Nobody can reach the objects any more: no access that anybody could race with. */
JAVA(void, __tsan_java_free, (uintptr_t p, uintptr_t n), , must_be_in_heap("__tsan_java_free", p, n);
     rt_heap_forget(p, n); rt_memory_fresh(t, p, n))

/* ---- moved ---- */

enum { CHUNK = 64 }; /* cells at once: a kilobyte of the stack */

struct moved {
    uint64_t word, sites;
};

/* In the direction in which nothing is overwritten that is still to be read. */
static void move_cells(uintptr_t src, uintptr_t dst, size_t cells)
{
    struct moved m[CHUNK];
    for (size_t done = 0, n; done < cells; done += n) {
        n = cells - done < CHUNK ? cells - done : CHUNK;
        size_t at = 4 * (dst > src ? cells - done - n : done);
        for (size_t i = 0; i < n; i++) {
            uintptr_t a = src + at + 4 * i;
            (void)rt_section_begin(a);
            struct gl_cell cell = rt_cell(a);
            /* relaxed: no other thread is in these cells (the world is stopped), and the section is on the page */
            m[i] = (struct moved){gl_load_relaxed(cell.word), gl_load_relaxed(cell.sites)};
            gl_store_relaxed(cell.word, 0);
            rt_section_end();
        }
        rt_shadow_fresh(dst + at, 4 * n, true);
        for (size_t i = 0; i < n; i++) {
            uintptr_t a = dst + at + 4 * i;
            if (!m[i].word)
                continue;
            (void)rt_section_begin(a);
            struct gl_cell cell = rt_cell(a);
            gl_store_relaxed(cell.sites, m[i].sites); /* relaxed: as above */
            gl_store_relaxed(cell.word, m[i].word);
            if (m[i].word >> 32 == GL_CELL_SIDE)
                rt_page_mark(a, RT_PAGE_SIDE);
            rt_section_end();
        }
    }
}

JAVA(void, __tsan_java_move, (uintptr_t src, uintptr_t dst, uintptr_t n), , {
    must_be_in_heap("__tsan_java_move", src, n);
    must_be_in_heap("__tsan_java_move", dst, n);
    if (src != dst) {
        rt_record_alloc(t, dst, n, pc);
        rt_own_moved(src, dst, n);
        rt_sync_move(src, dst, n);
        rt_heap_move(src, dst, n);
        move_cells(src, dst, n / 4);
    }
})

/* The first object from *from on, below `to`: where it is goes to *from, its size is returned.  0: there is none. */
RT_EXPORT uintptr_t __tsan_java_find(uintptr_t *from, uintptr_t to);
RT_EXPORT uintptr_t __tsan_java_find(uintptr_t *from, uintptr_t to)
{
    for (uintptr_t p = *from; p < to && p >= heap.lo && p < heap.hi; p += ALIGNMENT) {
        size_t n;
        if (rt_heap_size((const void *)p, &n)) {
            *from = p;
            return n;
        }
    }
    return 0;
}

/* ---- order ---- */

/* Finalizers run after everything that any thread did. */
JAVA(void, __tsan_java_finalize, (void), , rt_acquire_all(t))

JAVA(void, __tsan_java_acquire, (uintptr_t p), , rt_acquire(t, p, RT_USER, pc))
JAVA(void, __tsan_java_release, (uintptr_t p), , rt_release(t, p, RT_USER, pc))
/* What was released there before is orders nobody any more. */
JAVA(void, __tsan_java_release_store, (uintptr_t p), , rt_sync_destroy(t, p, RT_USER, pc);
     rt_release(t, p, RT_USER, pc))

/* ---- monitors: reentrant, made when they are first used ---- */

#define LOCKS(name, params, how, times)                                                                      \
    RT_EXPORT void name params;                                                                              \
    RT_EXPORT void name params                                                                               \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        rt_own_wanted(p, (how) | RT_OWN_REENTRANT, pc);                                                      \
        struct rt_thread *t = rt_enter();                                                                    \
        if (!t)                                                                                              \
            return;                                                                                          \
        rt_own_locked(t, p, (how) | RT_OWN_REENTRANT, times, pc);                                            \
        rt_leave();                                                                                          \
    }

LOCKS(__tsan_java_mutex_lock, (uintptr_t p), 0, 1)
LOCKS(__tsan_java_mutex_read_lock, (uintptr_t p), RT_OWN_READ, 1)
LOCKS(__tsan_java_mutex_lock_rec, (uintptr_t p, int times), 0, times > 0 ? (uint32_t)times : 1)
JAVA(void, __tsan_java_mutex_unlock, (uintptr_t p), , (void)rt_own_unlocking(t, p, 0, false, pc))
JAVA(void, __tsan_java_mutex_read_unlock, (uintptr_t p), ,
     (void)rt_own_unlocking(t, p, RT_OWN_READ, false, pc))

/* All of it, as a wait does; the result is for the lock_rec() after it. */
RT_EXPORT int __tsan_java_mutex_unlock_rec(uintptr_t p);
RT_EXPORT int __tsan_java_mutex_unlock_rec(uintptr_t p)
{
    struct rt_thread *t = rt_enter();
    int times = 0;
    if (t) {
        times = (int)rt_own_unlocking(t, p, 0, true, RT_CALLER());
        rt_leave();
    }
    return times;
}
