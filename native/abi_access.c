/* SPDX-License-Identifier: Apache-2.0
 *
 * What compilers call before each memory access: __tsan_read*, __tsan_write*, their unaligned, volatile
 * and read-write forms, ranges, vptr.  (docs: emitted names of gcc-12, clang-14, clang-19.)
 *
 * Volatile accesses are checked like any other: volatile does not order.
 */
#include "native/access_inl.h"
#include "native/misuse.h"
#include "native/near.h"

#define READ(name, size)                                                                                    \
    RT_EXPORT void name(void *p);                                                                           \
    RT_EXPORT RT_NEAR void name(void *p) { rt_access(p, size, false, RT_CALLER()); }                        \
    RT_NEAR_NAME(name)
#define WRITE(name, size)                                                                                   \
    RT_EXPORT void name(void *p);                                                                           \
    RT_EXPORT RT_NEAR void name(void *p) { rt_access(p, size, true, RT_CALLER()); }                         \
    RT_NEAR_NAME(name)
/* A read and a write of the same bytes by one instruction sequence: what the write's check finds, the
 * read's would, and a write is recorded. */
#define FAMILY(size)                                                                                        \
    READ(__tsan_read##size, size)                                                                           \
    WRITE(__tsan_write##size, size)                                                                         \
    READ(__tsan_volatile_read##size, size)                                                                  \
    WRITE(__tsan_volatile_write##size, size)                                                                \
    WRITE(__tsan_read_write##size, size)
#define UNALIGNED(size)                                                                                     \
    READ(__tsan_unaligned_read##size, size)                                                                 \
    WRITE(__tsan_unaligned_write##size, size)                                                               \
    READ(__tsan_unaligned_volatile_read##size, size)                                                        \
    WRITE(__tsan_unaligned_volatile_write##size, size)                                                      \
    WRITE(__tsan_unaligned_read_write##size, size)

FAMILY(1)
FAMILY(2)
FAMILY(4)
FAMILY(8)
FAMILY(16)
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

/* With the place given. */
#define WITH_PC(size)                                                                                       \
    RT_EXPORT void __tsan_read##size##_pc(void *p, void *pc);                                               \
    RT_EXPORT void __tsan_read##size##_pc(void *p, void *pc) { rt_access(p, size, false, (uintptr_t)pc); }  \
    RT_EXPORT void __tsan_write##size##_pc(void *p, void *pc);                                              \
    RT_EXPORT void __tsan_write##size##_pc(void *p, void *pc) { rt_access(p, size, true, (uintptr_t)pc); }
WITH_PC(1)
WITH_PC(2)
WITH_PC(4)
WITH_PC(8)
WITH_PC(16)

/* The same functions for code that has the filter in itself (inline.h): what it did not recognise. */
#define INLINED(size)                                                                                       \
    RT_EXPORT void goldilocks_rt_read##size(void *p) __attribute__((alias("__tsan_read" #size)));           \
    RT_EXPORT void goldilocks_rt_write##size(void *p) __attribute__((alias("__tsan_write" #size)));         \
    RT_NEAR_NAME(goldilocks_rt_read##size)                                                                  \
    RT_NEAR_NAME(goldilocks_rt_write##size)
INLINED(1)
INLINED(2)
INLINED(4)
INLINED(8)

static inline void range(const void *p, size_t n, bool write, uintptr_t pc)
{
    if (n && n <= 16 && !(n & (n - 1))) /* gcc's name for what is not aligned */
        return rt_access_odd((uintptr_t)p, (unsigned)n, write, pc);
    if (n && n <= RT_RANGE_SHORT && rt_range_short((uintptr_t)p, n, write, pc, RT_WIDTH_RANGE))
        return;
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    if (write)
        rt_write_range(t, p, n, pc);
    else
        rt_read_range(t, p, n, pc);
    rt_leave();
}

RT_EXPORT void __tsan_read_range(void *p, size_t n);
RT_EXPORT void __tsan_read_range(void *p, size_t n) { range(p, n, false, RT_CALLER()); }
RT_EXPORT void __tsan_write_range(void *p, size_t n);
RT_EXPORT void __tsan_write_range(void *p, size_t n) { range(p, n, true, RT_CALLER()); }
RT_EXPORT void __tsan_read_range_pc(void *p, size_t n, void *pc);
RT_EXPORT void __tsan_read_range_pc(void *p, size_t n, void *pc) { range(p, n, false, (uintptr_t)pc); }
RT_EXPORT void __tsan_write_range_pc(void *p, size_t n, void *pc);
RT_EXPORT void __tsan_write_range_pc(void *p, size_t n, void *pc) { range(p, n, true, (uintptr_t)pc); }

/* ---- pointers to virtual functions ---- */

/* Where the program touches one, for the titles of reports.  A place that loses its slot to another is called by the common
 * title.  relaxed: a set of hints that only grows. */
#define VPTR_PLACES 4096u
static uintptr_t vptr_place[VPTR_PLACES];

static inline uintptr_t *vptr_slot(uintptr_t pc)
{
    return &vptr_place[(pc ^ pc >> 12) % VPTR_PLACES];
}

static inline void note_vptr(uintptr_t pc)
{
    if (RT_UNLIKELY(__atomic_load_n(vptr_slot(pc), __ATOMIC_RELAXED) != pc))
        __atomic_store_n(vptr_slot(pc), pc, __ATOMIC_RELAXED);
}

bool rt_is_vptr(uintptr_t pc)
{
    return pc && __atomic_load_n(vptr_slot(pc), __ATOMIC_RELAXED) == pc;
}

/* A virtual call reads the vtable pointer; constructors and destructors rewrite it, often with the
 * value it has: that changes nothing for a reader. */
RT_EXPORT void __tsan_vptr_read(void **p);
RT_EXPORT void __tsan_vptr_read(void **p)
{
    note_vptr(RT_CALLER());
    rt_access(p, 8, false, RT_CALLER());
}
RT_EXPORT void __tsan_vptr_update(void **p, void *fresh);
RT_EXPORT void __tsan_vptr_update(void **p, void *fresh)
{
    if (*p == fresh)
        return;
    note_vptr(RT_CALLER());
    rt_access(p, 8, true, RT_CALLER());
}

/* clang-19 calls these in place of the plain functions. */
RT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n);
RT_EXPORT void *__tsan_memmove(void *to, const void *from, size_t n);
RT_EXPORT void *__tsan_memset(void *to, int c, size_t n);

RT_EXPORT void *__tsan_memcpy(void *to, const void *from, size_t n)
{
    uintptr_t pc = RT_CALLER();
    bool late = !rt_range_is_there((uintptr_t)from, n) || !rt_range_is_there((uintptr_t)to, n);
    if (RT_UNLIKELY(late))
        (void)__builtin_memcpy(to, from, n);
    range(from, n, false, pc);
    range(to, n, true, pc);
    return late ? to : __builtin_memcpy(to, from, n);
}
RT_EXPORT void *__tsan_memmove(void *to, const void *from, size_t n)
{
    uintptr_t pc = RT_CALLER();
    bool late = !rt_range_is_there((uintptr_t)from, n) || !rt_range_is_there((uintptr_t)to, n);
    if (RT_UNLIKELY(late) && !(rt_range_is_there((uintptr_t)__builtin_memmove(to, from, n), n) && rt_range_is_there((uintptr_t)from, n)))
        return to;
    range(from, n, false, pc);
    range(to, n, true, pc);
    return late ? to : __builtin_memmove(to, from, n);
}
RT_EXPORT void *__tsan_memset(void *to, int c, size_t n)
{
    uintptr_t pc = RT_CALLER();
    bool late = !rt_range_is_there((uintptr_t)to, n);
    if (RT_UNLIKELY(late))
        (void)__builtin_memset(to, c, n);
    range(to, n, true, pc);
    return late ? to : __builtin_memset(to, c, n);
}
