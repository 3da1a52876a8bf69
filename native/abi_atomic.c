/* SPDX-License-Identifier: Apache-2.0
 *
 * __tsan_atomic*: the operation itself and its records, as one step.
 *
 * A store and its record must be seen together: a load that reads the value must find the source it
 * came from, and no later one (docs/concurrency.md, D).  So both happen under the object's lock.
 * Where there is no object and none is needed (relaxed, no release fence before), the lock is that of the place
 * where one would be made, or none at all where that was so for long (RT_SYNC_LOOSE); a load needs none when there is no object even after it, or
 * what it tells is known and stays the same.
 *
 * The operation also counts as an atomic access to its bytes: never in conflict with another atomic
 * one, but with plain ones.  Acquire side, access, release side, in this order.
 */
#include "core/atomic.h"
#include "native/access_inl.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/sample.h"

typedef uint8_t a8;
typedef uint16_t a16;
typedef uint32_t a32;
typedef uint64_t a64;
typedef unsigned __int128 a128;

/* The filter of atomic accesses, for one cell: is the access one that an earlier one of the segment covers (covers() of core/cell.c)?  An atomic
 * access covers atomic ones, a plain one both. */
static inline bool word_seen(uint64_t w, uint32_t mask, bool write, uint32_t key)
{
    return rt_half_hit((uint32_t)(w >> 32), key | GL_HALF_ATOMIC, mask) || (!write && rt_half_hit((uint32_t)w, key | GL_HALF_ATOMIC, mask));
}
static inline bool cell_seen(const _Atomic uint64_t *cell, uint32_t mask, bool write, uint32_t key)
{
    uint64_t w = gl_load_acquire(cell); /* acquire: pairs with gl_cell_unlock() */
    if (w >> 32 == GL_CELL_SIDE)
        return gl_side_hit(rt.sides, (_Atomic uint64_t *)cell, w, key | GL_HALF_ATOMIC, mask, write);
    return word_seen(w, mask, write, key) || rt_half_hit((uint32_t)(w >> 32), key, mask) || (!write && rt_half_hit((uint32_t)w, key, mask));
}

/* An aligned one where the thread's last one to the same bytes gives way. */
static inline bool atomic_quick(struct rt_thread *t, uintptr_t a, unsigned size, uint32_t mask, bool write, uintptr_t pc)
{
    if (RT_UNLIKELY(!rt_sampled(a)) || (!t->core->segment && !gl_segment_begin(t->core)))
        return false;
    uint32_t site = rt_site_known(&rt_tls, pc, rt_width_of(size));
    if (RT_UNLIKELY(!site))
        site = rt_site(t, pc, rt_width_of(size));
    (void)rt_section_begin(a);
    bool done = size == 8 ? gl_access_atomic_pair(t->core, rt_cell_8(a), write, site)
                          : gl_access_atomic(t->core, rt_cell(a), mask, write, site);
    rt_section_end();
    return done;
}

/* What the filter below did not find. */
static __attribute__((noinline)) void atomic_miss(struct rt_thread *t, uintptr_t a, unsigned size, uint32_t mask, bool write, uintptr_t pc,
                                                  struct rt_findings *f)
{
    if (rt_tls.ignore_accesses)
        return;
    uint32_t key = rt_tls.key; /* 0: the segment has made none */
    if (RT_LIKELY(size <= 8 && a % size == 0 && rt_address_ok(a))) {
        const _Atomic uint64_t *cell = size == 8 ? (const _Atomic uint64_t *)rt_cell_at_8(a) : rt_cell_word(a);
        if (key && cell_seen(cell, mask, write, key) && (size < 8 || cell_seen(&cell[1], mask, write, key)))
            return;
        if (atomic_quick(t, a, size, mask, write, pc))
            return;
    }
    rt_access_inside(t, a, size, GL_ACCESS_ATOMIC | (write ? GL_ACCESS_WRITE : 0), pc, f);
}

/* The access check of an atomic operation. */
static inline __attribute__((always_inline)) void atomic_access(struct rt_thread *t, uintptr_t a, unsigned size, bool write, uintptr_t pc,
                                                                struct rt_findings *f)
{
    f->n = 0;
    uint32_t key = rt_tls.key, mask = size >= 4 ? 0xF : ((1u << size) - 1) << (a & 3);
    if (RT_LIKELY(key && size <= 8 && a % size == 0 && rt_address_ok(a))) {
        const _Atomic uint64_t *cell = size == 8 ? (const _Atomic uint64_t *)rt_cell_at_8(a) : rt_cell_word(a);
        uint64_t w = gl_load_relaxed(cell), next = size == 8 ? gl_load_relaxed(&cell[1]) : w; /* relaxed: only compared with our own segment */
        if (RT_LIKELY(word_seen(w, mask, write, key) && (next == w || word_seen(next, mask, write, key))))
            return;
    }
    atomic_miss(t, a, size, mask, write, pc, f);
}

/* Is there no object even after the operation?  Then no release store came before it. */
static inline bool no_object(uintptr_t a)
{
    /* acquire: pairs with the publication of an object in sync.c */
    return !rt_sync_is_object(gl_load_acquire(&rt_mark(a)->sync));
}

/* Does an operation of this order leave something behind for later acquires (and so need an object)? */
static inline bool has_release_side(struct rt_thread *t, enum gl_order order)
{
    return gl_order_releases(order) || t->core->fence_release.version != 0;
}

/* For a recording every operation is one step under an object's lock, so that their order is known. */
static inline bool needs_object(struct rt_thread *t, enum gl_order order)
{
    return has_release_side(t, order) || RT_UNLIKELY(rt.recording);
}

/* Begins a section (owner.h) in which an operation that needs no object needs no lock either: nobody makes an object before it is over.  False: it
 * was not begun. */
static inline bool loose_begin(uintptr_t a)
{
    __atomic_store_n(&rt_tls.quick, 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);                  /* pairs with the membarrier of rt_sections_wait() */
    if (gl_load_acquire(&rt_mark(a)->sync) == RT_SYNC_LOOSE) /* acquire: pairs with loosen() */
        return true;
    rt_section_end();
    return false;
}

/* Makes the operation and its records one step, until step_end(). */
static inline struct rt_atomic step_begin(struct rt_thread *t, uintptr_t a, enum gl_order order)
{
    bool make = needs_object(t, order);
    if (!make && loose_begin(a))
        return (struct rt_atomic){.loose = true};
    return rt_atomic_lock(t, a, make);
}
static inline void step_end(struct rt_atomic *hold)
{
    if (RT_LIKELY(hold->loose))
        rt_section_end();
    else
        rt_atomic_unlock(hold);
}

static inline void record(struct rt_thread *t, enum gl_op op, enum gl_order order, uintptr_t a, unsigned size, uintptr_t pc)
{
    if (RT_UNLIKELY(rt.recording))
        rt_record_atomic(t, op, order, a, size, pc);
}

/* A program may use atomics before we are up, in the runtime's own callbacks, in unknown threads:
 * then only the operation is done. */

#define LOAD(bits)                                                                                         \
    RT_EXPORT a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int mo);                       \
    RT_EXPORT a##bits __tsan_atomic##bits##_load(const volatile a##bits *p, int mo)                        \
    {                                                                                                      \
        struct rt_thread *t = rt_enter();                                                                  \
        if (!t)                                                                                            \
            return op_load##bits(p);                                                                       \
        struct rt_findings f;                                                                              \
        uintptr_t a = (uintptr_t)p, pc = RT_CALLER();                                                      \
        a##bits value;                                                                                     \
        bool done;                                                                                         \
        if (RT_LIKELY(no_object(a))) {                                                                     \
            value = op_load##bits(p);                                                                      \
            done = no_object(a);                                                                           \
        } else {                                                                                           \
            struct rt_glance glance = rt_atomic_glance(t, a, gl_order_acquires(rt_order_of(mo)));          \
            value = op_load##bits(p);                                                                      \
            done = rt_atomic_same(&glance, a);                                                             \
        }                                                                                                  \
        if (RT_UNLIKELY(rt.recording) || !done) {                                                          \
            struct rt_atomic hold = rt_atomic_lock(t, a, rt.recording);                                    \
            value = op_load##bits(p);                                                                      \
            if (hold.s)                                                                                    \
                gl_atomic_acquire_part(t->core, hold.s, rt_order_of(mo));                                  \
            record(t, GL_OP_LOAD, rt_order_of(mo), a, sizeof *p, pc);                                      \
            rt_atomic_unlock(&hold);                                                                       \
        }                                                                                                  \
        atomic_access(t, a, sizeof *p, false, pc, &f);                                                     \
        rt_tell(t, &f);                                                                                    \
        rt_leave();                                                                                        \
        return value;                                                                                      \
    }

#define STORE(bits)                                                                                        \
    RT_EXPORT void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits v, int mo);                    \
    RT_EXPORT void __tsan_atomic##bits##_store(volatile a##bits *p, a##bits v, int mo)                     \
    {                                                                                                      \
        struct rt_thread *t = rt_enter();                                                                  \
        if (!t) {                                                                                          \
            op_store##bits(p, v);                                                                          \
            return;                                                                                        \
        }                                                                                                  \
        struct rt_findings f;                                                                              \
        uintptr_t a = (uintptr_t)p, pc = RT_CALLER();                                                      \
        enum gl_order order = rt_order_of(mo);                                                             \
        atomic_access(t, a, sizeof *p, true, pc, &f);                                                      \
        struct rt_atomic hold = step_begin(t, a, order);                                                   \
        if (hold.s)                                                                                        \
            rt_atomic_stored(t, &hold, order);                                                             \
        record(t, GL_OP_STORE, order, a, sizeof *p, pc);                                                   \
        if (order == GL_SC)                                                                                \
            op_store##bits(p, v);                                                                          \
        else                                                                                               \
            op_release##bits(p, v);                                                                        \
        step_end(&hold);                                                                                   \
        rt_tell(t, &f);                                                                                    \
        rt_leave();                                                                                        \
    }

/* `op`, with the acquire side after it and the release side under the same lock. */
#define RMW(bits, name)                                                                                    \
    RT_EXPORT a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits v, int mo);                \
    RT_EXPORT a##bits __tsan_atomic##bits##_##name(volatile a##bits *p, a##bits v, int mo)                 \
    {                                                                                                      \
        struct rt_thread *t = rt_enter();                                                                  \
        if (!t)                                                                                            \
            return op_##name##bits(p, v);                                                                  \
        struct rt_findings f;                                                                              \
        uintptr_t a = (uintptr_t)p, pc = RT_CALLER();                                                      \
        enum gl_order order = rt_order_of(mo);                                                             \
        struct rt_atomic hold = step_begin(t, a, order);                                                   \
        a##bits was = op_##name##bits(p, v);                                                               \
        if (hold.s)                                                                                        \
            gl_atomic_acquire_part(t->core, hold.s, order);                                                \
        if (hold.object)                                                                                   \
            atomic_access(t, a, sizeof *p, true, pc, &f);                                                  \
        if (hold.s)                                                                                        \
            gl_atomic_rmw_part(t->core, hold.s, order);                                                    \
        record(t, GL_OP_RMW, order, a, sizeof *p, pc);                                                     \
        bool late = !hold.object;                                                                          \
        step_end(&hold);                                                                                   \
        if (late) /* no object, no sides: the access need not hold up others of the place */               \
            atomic_access(t, a, sizeof *p, true, pc, &f);                                                  \
        rt_tell(t, &f);                                                                                    \
        rt_leave();                                                                                        \
        return was;                                                                                        \
    }

/* A failed compare-exchange is a load with the failure order.  Both orders may ask for the acquire side. */
#define CAS(bits)                                                                                          \
    static bool cas##bits(volatile a##bits *p, a##bits *expect, a##bits v, int mo, int fail_mo, uintptr_t pc)\
    {                                                                                                      \
        struct rt_thread *t = rt_enter();                                                                  \
        if (!t)                                                                                            \
            return op_cas##bits(p, expect, v);                                                             \
        struct rt_findings f;                                                                              \
        uintptr_t a = (uintptr_t)p;                                                                        \
        enum gl_order order = rt_order_of(mo);                                                             \
        struct rt_atomic hold = step_begin(t, a, order);                                                   \
        bool done = op_cas##bits(p, expect, v);                                                            \
        if (hold.s)                                                                                        \
            gl_atomic_acquire_part(t->core, hold.s, done ? order : rt_order_of(fail_mo));                  \
        if (hold.object)                                                                                   \
            atomic_access(t, a, sizeof *p, done, pc, &f);                                                  \
        if (hold.s && done)                                                                                \
            gl_atomic_rmw_part(t->core, hold.s, order);                                                    \
        record(t, done ? GL_OP_RMW : GL_OP_LOAD, done ? order : rt_order_of(fail_mo), a, sizeof *p, pc);   \
        bool late = !hold.object;                                                                          \
        step_end(&hold);                                                                                   \
        if (late)                                                                                          \
            atomic_access(t, a, sizeof *p, done, pc, &f);                                                  \
        rt_tell(t, &f);                                                                                    \
        rt_leave();                                                                                        \
        return done;                                                                                       \
    }                                                                                                      \
    RT_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *p, a##bits *expect,      \
                                                                a##bits v, int mo, int fail_mo);           \
    RT_EXPORT int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits *p, a##bits *expect,      \
                                                                a##bits v, int mo, int fail_mo)            \
    {                                                                                                      \
        return cas##bits(p, expect, v, mo, fail_mo, RT_CALLER());                                          \
    }                                                                                                      \
    RT_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *p, a##bits *expect,        \
                                                              a##bits v, int mo, int fail_mo);             \
    RT_EXPORT int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits *p, a##bits *expect,        \
                                                              a##bits v, int mo, int fail_mo)              \
    {                                                                                                      \
        return cas##bits(p, expect, v, mo, fail_mo, RT_CALLER());                                          \
    }                                                                                                      \
    RT_EXPORT a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expect,      \
                                                                 a##bits v, int mo, int fail_mo);          \
    RT_EXPORT a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits *p, a##bits expect,      \
                                                                 a##bits v, int mo, int fail_mo)           \
    {                                                                                                      \
        cas##bits(p, &expect, v, mo, fail_mo, RT_CALLER());                                                \
        return expect;                                                                                     \
    }

/* ---- the operations themselves; sequentially consistent, which any order allows, but for stores, whose fence is the dear part ---- */

#define NATIVE_OPS(bits)                                                                                   \
    static inline a##bits op_load##bits(const volatile a##bits *p) { return __atomic_load_n(p, __ATOMIC_SEQ_CST); }\
    static inline void op_store##bits(volatile a##bits *p, a##bits v) { __atomic_store_n(p, v, __ATOMIC_SEQ_CST); }\
    static inline void op_release##bits(volatile a##bits *p, a##bits v) { __atomic_store_n(p, v, __ATOMIC_RELEASE); }\
    static inline a##bits op_exchange##bits(volatile a##bits *p, a##bits v)                                \
    {                                                                                                      \
        return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                                \
    }                                                                                                      \
    static inline bool op_cas##bits(volatile a##bits *p, a##bits *expect, a##bits v)                       \
    {                                                                                                      \
        return __atomic_compare_exchange_n(p, expect, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }                                                                                                      \
    NATIVE_FETCH(bits, add)                                                                                \
    NATIVE_FETCH(bits, sub)                                                                                \
    NATIVE_FETCH(bits, and)                                                                                \
    NATIVE_FETCH(bits, or)                                                                                 \
    NATIVE_FETCH(bits, xor)                                                                                \
    NATIVE_FETCH(bits, nand)
#define NATIVE_FETCH(bits, name)                                                                           \
    static inline a##bits op_fetch_##name##bits(volatile a##bits *p, a##bits v)                            \
    {                                                                                                      \
        return __atomic_fetch_##name(p, v, __ATOMIC_SEQ_CST);                                              \
    }
NATIVE_OPS(8)
NATIVE_OPS(16)
NATIVE_OPS(32)
NATIVE_OPS(64)

/* 16 bytes: by compare-and-swap of the pair, as compilers without our help do. */
static inline bool op_cas128(volatile a128 *p, a128 *expect, a128 v)
{
#ifdef __x86_64__
    a64 lo = (a64)*expect, hi = (a64)(*expect >> 64);
    bool done;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(done), "+m"(*p), "+a"(lo), "+d"(hi)
                     : "b"((a64)v), "c"((a64)(v >> 64))
                     : "memory");
    *expect = (a128)hi << 64 | lo;
    return done;
#else
    a128 was = *expect; /* not __atomic_compare_exchange_n(), which is a call of libatomic */
    *expect = __sync_val_compare_and_swap(p, was, v);
    return *expect == was;
#endif
}
static inline a128 op_load128(const volatile a128 *p)
{
    a128 was = 0;
    op_cas128((volatile a128 *)p, &was, 0); /* writes 0 over 0, or reads; as libatomic does */
    return was;
}
#define OP128(name, expression)                                                                            \
    static inline a128 op_##name##128(volatile a128 *p, a128 v)                                            \
    {                                                                                                      \
        a128 was = op_load128(p);                                                                          \
        while (!op_cas128(p, &was, (expression)))                                                          \
            ;                                                                                              \
        return was;                                                                                        \
    }
OP128(exchange, v)
OP128(fetch_add, was + v)
OP128(fetch_sub, was - v)
OP128(fetch_and, was &v)
OP128(fetch_or, was | v)
OP128(fetch_xor, was ^ v)
OP128(fetch_nand, ~(was & v))
static inline void op_store128(volatile a128 *p, a128 v)
{
    op_exchange128(p, v);
}
static inline void op_release128(volatile a128 *p, a128 v)
{
    op_exchange128(p, v);
}

#define ALL(bits)                                                                                          \
    LOAD(bits)                                                                                             \
    STORE(bits)                                                                                            \
    RMW(bits, exchange)                                                                                    \
    RMW(bits, fetch_add)                                                                                   \
    RMW(bits, fetch_sub)                                                                                   \
    RMW(bits, fetch_and)                                                                                   \
    RMW(bits, fetch_or)                                                                                    \
    RMW(bits, fetch_xor)                                                                                   \
    RMW(bits, fetch_nand)                                                                                  \
    CAS(bits)
ALL(8)
ALL(16)
ALL(32)
ALL(64)
ALL(128)

/* As clang calls them where the processor need not have the instruction: libatomic's, which would not be seen (the rest of it: abi_libatomic.c). */
#define LIBATOMIC_16(name)                                                                                 \
    RT_EXPORT __typeof(__tsan_atomic128_##name) rt_libatomic_16_##name __asm__("__atomic_" #name "_16")    \
        __attribute__((weak, alias("__tsan_atomic128_" #name)));
LIBATOMIC_16(load)
LIBATOMIC_16(store)
LIBATOMIC_16(exchange)
LIBATOMIC_16(fetch_add)
LIBATOMIC_16(fetch_sub)
LIBATOMIC_16(fetch_and)
LIBATOMIC_16(fetch_or)
LIBATOMIC_16(fetch_xor)
LIBATOMIC_16(fetch_nand)

RT_EXPORT void __tsan_atomic_thread_fence(int mo);
RT_EXPORT void __tsan_atomic_thread_fence(int mo)
{
    struct rt_thread *t = rt_enter();
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!t)
        return;
    if (!rt_tls.ignore_sync)
        gl_fence(t->core, rt_order_of(mo));
    rt_record_fence(t, rt_order_of(mo), RT_CALLER());
    rt_leave();
}

/* Orders nothing between threads. */
RT_EXPORT void __tsan_atomic_signal_fence(int mo);
RT_EXPORT void __tsan_atomic_signal_fence(int mo)
{
    (void)mo;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
