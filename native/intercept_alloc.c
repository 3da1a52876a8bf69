/* SPDX-License-Identifier: Apache-2.0
 *
 * The heap: blocks come from glibc's allocator and are fresh; a free is a write of the whole block,
 * recorded while the block is still the thread's own.  Also mmap and its kin, whose bytes are fresh.
 *
 * glibc's malloc is looked up once, whatever other one is linked (rt_libc()), and these functions work at any time: before the
 * runtime is up, inside dlsym, after the end of the thread.  What is not recorded then is memory
 * without history, which is what fresh memory is.
 */
#include "native/intercept_libc.h"
#include "native/misuse.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- hooks of the program (<sanitizer/allocator_interface.h>) ---- */

extern void __sanitizer_malloc_hook(const volatile void *p, size_t n) __attribute__((weak));
extern void __sanitizer_free_hook(const volatile void *p) __attribute__((weak));

enum { HOOKS = 5 };
typedef void allocated_hook(const volatile void *p, size_t n);
typedef void freed_hook(const volatile void *p);
static struct {
    allocated_hook *_Atomic allocated; /* set last, never unset: a pair that is seen is whole */
    freed_hook *freed;
} hooks[HOOKS];
static _Atomic unsigned hooks_taken;
/* What a hook itself allocates is told to no hook. */
static __thread bool in_hook __attribute__((tls_model("initial-exec")));

/* The number of the pair, from 1; 0: there is room for five. */
RT_EXPORT int __sanitizer_install_malloc_and_free_hooks(allocated_hook *allocated, freed_hook *freed);
RT_EXPORT int __sanitizer_install_malloc_and_free_hooks(allocated_hook *allocated, freed_hook *freed)
{
    unsigned taken = atomic_load(&hooks_taken);
    do {
        if (!allocated || !freed || taken == HOOKS)
            return 0;
    } while (!atomic_compare_exchange_weak(&hooks_taken, &taken, taken + 1));
    hooks[taken].freed = freed;
    atomic_store_explicit(&hooks[taken].allocated, allocated, memory_order_release); /* pairs with tell_allocated(), tell_freed() */
    return (int)taken + 1;
}

static bool hooked(void)
{
    /* relaxed: who installs hooks orders that before what they shall see */
    return __builtin_expect(atomic_load_explicit(&hooks_taken, memory_order_relaxed) || __sanitizer_malloc_hook || __sanitizer_free_hook, 0) &&
           !in_hook && rt_tls.depth == 0 && rt_tls.self;
}

static void tell_allocated(const void *p, size_t n)
{
    if (!p || !hooked())
        return;
    int saved = errno;
    in_hook = true;
    if (__sanitizer_malloc_hook)
        __sanitizer_malloc_hook(p, n);
    for (int i = 0; i < HOOKS; i++) {
        allocated_hook *hook = atomic_load_explicit(&hooks[i].allocated, memory_order_acquire);
        if (hook)
            hook(p, n);
    }
    in_hook = false;
    errno = saved;
}

static void tell_freed(const void *p)
{
    if (!hooked())
        return;
    int saved = errno;
    in_hook = true;
    if (__sanitizer_free_hook)
        __sanitizer_free_hook(p);
    for (int i = 0; i < HOOKS; i++)
        if (atomic_load_explicit(&hooks[i].allocated, memory_order_acquire))
            hooks[i].freed(p);
    in_hook = false;
    errno = saved;
}

/* ---- libc's own ---- */

/* A handler may wait in rt_enter() for a fork that waits for the lock of the malloc that it interrupted.  So none begins in there. */
static void libc_begin(void)
{
    rt_tls.in_libc++;
    atomic_signal_fence(memory_order_seq_cst);
}

static void libc_end(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    rt_tls.in_libc -= rt_tls.in_libc != 0; /* the handler of a fault in there takes it for over */
    atomic_signal_fence(memory_order_seq_cst);
    if (__builtin_expect(__atomic_load_n(&rt_tls.pending, __ATOMIC_RELAXED) != 0, 0) && !rt_tls.depth) /* relaxed: set by a handler of this thread, or looked at again */
        rt_deliver_pending();
}

#define LIBC(call)               \
    __extension__({              \
        libc_begin();            \
        void *made_ = (call);    \
        libc_end();              \
        made_;                   \
    })

void rt_libc_free(void *p)
{
    libc_begin();
    rt_libc()->free(p);
    libc_end();
}

void *rt_libc_malloc(size_t n) { return LIBC(rt_libc()->malloc(n)); }
void *rt_libc_calloc(size_t count, size_t n) { return LIBC(rt_libc()->calloc(count, n)); }

/* ---- blocks ---- */

/* Not for a thread of libc's own (of timers, aio), which runs no code of the program's and would be counted as one that is not checked. */
#define RECORD_BLOCK(t, pc, ...)                                            \
    do {                                                                    \
        if (rt_tls.self || !rt.up || !rt_heap_maybe_called_by_libc(pc))         \
            RT_RECORD(t, __VA_ARGS__);                                      \
    } while (0)

static void *allocated(void *p, size_t n, uintptr_t pc)
{
    rt_not_in_signal(pc);
    if (p)
        RECORD_BLOCK(t, pc, rt_heap_alloc(t, p, n, pc));
    tell_allocated(p, n);
    return p;
}

void *rt_malloc(size_t n, uintptr_t pc) { return allocated(rt_libc_malloc(n), n, pc); }

void *rt_memalign(size_t align, size_t n, uintptr_t pc)
{
    return allocated(LIBC(rt_libc()->memalign(align, n)), n, pc);
}

void rt_free(void *p, uintptr_t pc)
{
    if (!p)
        return;
    rt_not_in_signal(pc);
    tell_freed(p);
    RECORD_BLOCK(t, pc, rt_heap_free(t, p, pc));
    rt_libc_free(p);
}

RT_EXPORT void *malloc(size_t n) { return rt_malloc(n, RT_CALLER()); }

/* The zeros are part of the block being fresh, no access of the program. */
RT_EXPORT void *calloc(size_t count, size_t n)
{
    uintptr_t pc = RT_CALLER();
    rt_not_in_signal(pc);
    void *p = rt_libc_calloc(count, n);
    size_t size = count * n; /* does not overflow when p is not NULL */
    if (p)
        RECORD_BLOCK(t, pc, rt_heap_alloc(t, p, size, pc));
    tell_allocated(p, size);
    return p;
}

/* A new block, the old one's bytes copied, the old one freed, whether or not glibc finds a way to keep it in
 * place: who still uses the old pointer races.  The copy's read needs no record of its own: the free
 * conflicts with all that it would.  It is written by the caller, so to speak; where that is libc itself it is not checked, as all
 * that libc does by itself: what orders its own blocks is locks that nobody sees. */
static void *resize(void *p, size_t n, uintptr_t pc)
{
    if (!p)
        return rt_malloc(n, pc);
    if (n == 0) { /* as glibc: frees */
        rt_free(p, pc);
        return NULL;
    }
    if (n > PTRDIFF_MAX) { /* as glibc: nothing is touched */
        errno = ENOMEM;
        return NULL;
    }
    rt_not_in_signal(pc);
    size_t old = 0;
    bool known = rt_heap_size(p, &old);
    tell_freed(p);
    RT_RECORD(t, rt_heap_free(t, p, pc));
    void *q = LIBC(rt_libc()->realloc(p, n));
    if (q)
        RT_RECORD(t, rt_heap_alloc(t, q, n, pc); if (!rt_heap_called_by_libc(pc)) rt_write_range(t, q, old < n ? old : n, pc));
    else if (known)
        RT_RECORD(t, rt_heap_alloc(t, p, old, pc)); /* it stays what it was */
    tell_allocated(q ? q : p, q ? n : old);
    return q;
}

RT_EXPORT void *realloc(void *p, size_t n) { return resize(p, n, RT_CALLER()); }

RT_EXPORT void *reallocarray(void *p, size_t count, size_t n)
{
    size_t size;
    if (__builtin_mul_overflow(count, n, &size)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(p, size, RT_CALLER());
}

RT_EXPORT void free(void *p) { rt_free(p, RT_CALLER()); }

RT_EXPORT void cfree(void *p);
RT_EXPORT void cfree(void *p) { rt_free(p, RT_CALLER()); }

RT_EXPORT void *memalign(size_t align, size_t n) { return rt_memalign(align, n, RT_CALLER()); }

RT_EXPORT void *aligned_alloc(size_t align, size_t n) { return rt_memalign(align, n, RT_CALLER()); }

RT_EXPORT int posix_memalign(void **out, size_t align, size_t n)
{
    if (align < sizeof(void *) || (align & (align - 1)) != 0)
        return EINVAL;
    uintptr_t pc = RT_CALLER();
    int saved = errno; /* posix_memalign returns its error and leaves errno alone */
    void *p = rt_memalign(align, n, pc);
    errno = saved;
    if (!p)
        return ENOMEM;
    WHOLE(out);
    *out = p;
    return 0;
}

RT_EXPORT void *valloc(size_t n) { return allocated(LIBC(rt_libc()->valloc(n)), n, RT_CALLER()); }

RT_EXPORT void *pvalloc(size_t n)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return allocated(LIBC(rt_libc()->pvalloc(n)), (n + page - 1) & ~(page - 1), RT_CALLER());
}

/* What was asked for, not what malloc rounded it up to: the bytes behind it are not fresh, and a program
 * that asks may use all that it is told. */
INTERCEPT(size_t, malloc_usable_size, (void *p))
{
    size_t n;
    return p && rt_heap_size(p, &n) ? n : rt_libc()->usable_size(p);
}

/* Others of libc's that take its allocator's locks.  Not malloc_info() and malloc_stats(), which write meanwhile, to wherever the program wants: that may wait for a
 * handler, or be left by longjmp. */
#define LOCKS_LIBC(ret, name, params, args) \
    INTERCEPT(ret, name, params)            \
    {                                       \
        libc_begin();                       \
        ret r = REAL(name) args;            \
        libc_end();                         \
        return r;                           \
    }

LOCKS_LIBC(int, malloc_trim, (size_t pad), (pad))
LOCKS_LIBC(int, mallopt, (int param, int value), (param, value))
LOCKS_LIBC(struct mallinfo, mallinfo, (void), ())
LOCKS_LIBC(struct mallinfo2, mallinfo2, (void), ())

/* As INTERCEPT has it. */
RT_ALIAS(__interceptor_malloc, malloc);
RT_ALIAS(__interceptor_calloc, calloc);
RT_ALIAS(__interceptor_realloc, realloc);
RT_ALIAS(__interceptor_reallocarray, reallocarray);
RT_ALIAS(__interceptor_free, free);
RT_ALIAS(__interceptor_cfree, cfree);
RT_ALIAS(__interceptor_memalign, memalign);
RT_ALIAS(__interceptor_aligned_alloc, aligned_alloc);
RT_ALIAS(__interceptor_posix_memalign, posix_memalign);
RT_ALIAS(__interceptor_valloc, valloc);
RT_ALIAS(__interceptor_pvalloc, pvalloc);

/* ---- what the allocator holds ---- */

RT_EXPORT size_t __sanitizer_get_current_allocated_bytes(void);
RT_EXPORT size_t __sanitizer_get_current_allocated_bytes(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

RT_EXPORT size_t __sanitizer_get_heap_size(void);
RT_EXPORT size_t __sanitizer_get_heap_size(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.arena + m.hblkhd;
}

RT_EXPORT size_t __sanitizer_get_free_bytes(void);
RT_EXPORT size_t __sanitizer_get_free_bytes(void) { return mallinfo2().fordblks; }

RT_EXPORT size_t __sanitizer_get_unmapped_bytes(void);
RT_EXPORT size_t __sanitizer_get_unmapped_bytes(void) { return 0; } /* libc does not count them */

RT_EXPORT size_t __sanitizer_get_estimated_allocated_size(size_t n);
RT_EXPORT size_t __sanitizer_get_estimated_allocated_size(size_t n) { return n; }

/* The size asked for of a live block that begins at p; 0: there is none. */
RT_EXPORT size_t __sanitizer_get_allocated_size(const void *p);
RT_EXPORT size_t __sanitizer_get_allocated_size(const void *p)
{
    size_t n;
    return p && rt_heap_size(p, &n) ? n : 0;
}
RT_ALIAS(__sanitizer_get_allocated_size_fast, __sanitizer_get_allocated_size);

RT_EXPORT int __sanitizer_get_ownership(const void *p);
RT_EXPORT int __sanitizer_get_ownership(const void *p)
{
    size_t n;
    return p && rt_heap_size(p, &n);
}

/* Where the live block begins that p is in; NULL: there is none. */
RT_EXPORT const void *__sanitizer_get_allocated_begin(const void *p);
RT_EXPORT const void *__sanitizer_get_allocated_begin(const void *p)
{
    struct rt_block b;
    size_t n;
    if (!p || rt_heap_size(p, &n))
        return p;
    return rt.up && rt_heap_find((uintptr_t)p, &b) ? (const void *)b.start : NULL;
}

RT_EXPORT void __sanitizer_purge_allocator(void);
RT_EXPORT void __sanitizer_purge_allocator(void) { malloc_trim(0); }

/* ---- mappings ---- */

/* [p, p+n) in whole pages forgets.  The program's arguments may be nonsense that the real call refuses. */
static void fresh(void *p, size_t n)
{
    uintptr_t a = (uintptr_t)p, end;
    if ((a & 4095) == 0 && n <= SIZE_MAX - 4095 &&
        !__builtin_add_overflow(a, (n + 4095) & ~(size_t)4095, &end))
        RT_RECORD(t, rt_memory_fresh(t, a, end - a));
}

/* Where the program would like to have n bytes: nowhere, if there is no shadow. */
static void *wish(void *at, size_t n, int flags)
{
    uintptr_t a = (uintptr_t)at;
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) /* it insists */
        return at;
    return n - 1 < -a && rt_address_ok(a) && rt_address_ok(a + n - 1) ? at : NULL;
}

#define MAPS(name, off)                                                                                      \
    INTERCEPT(void *, name, (void *at, size_t n, int prot, int flags, int fd, off offset))                   \
    {                                                                                                        \
        void *p = REAL(name)(wish(at, n, flags), n, prot, flags, fd, offset);                                \
        if (p != MAP_FAILED)                                                                                 \
            fresh(p, n);                                                                                     \
        return p;                                                                                            \
    }

MAPS(mmap, off_t)
MAPS(mmap64, off64_t)

/* Before the real call: after it the addresses may already be another thread's.  When the call fails
 * the bytes have lost their history: a race may be missed. */
INTERCEPT(int, munmap, (void *p, size_t n))
{
    fresh(p, n);
    return REAL(munmap)(p, n);
}

INTERCEPT(void *, mremap, (void *p, size_t was, size_t n, int flags, ...))
{
    void *at = NULL;
    if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
        va_list ap;
        va_start(ap, flags);
        at = va_arg(ap, void *);
        va_end(ap);
    }
    if (!(flags & MREMAP_FIXED)) /* a wish */
        at = wish(at, n, 0);
    void *q = REAL(mremap)(p, was, n, flags, at);
    if (q == MAP_FAILED)
        return q;
    /* Moved: all of the new place is fresh; the old one is when it is mapped again.  In place: what was added is. */
    if (q != p)
        fresh(q, n);
    else if (n > was)
        fresh((char *)q + ((was + 4095) & ~(size_t)4095), n - was);
    return q;
}
