/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations that compilers leave to libatomic, by its names: on objects of 3, 12 or 40 bytes, or that need not be aligned
 * (std::atomic of a structure, __atomic_load() of one), and with clang on 16 bytes where the processor need not have an instruction for them.
 * (GCC's libatomic, "Atomic/GCCMM/LIbrary" in its wiki: the interface.)
 *
 * All of them are done here, never in the library: it may be missing, since the linker found the names with us, and its locks would not be ours.  An
 * object that an instruction can hold is changed by one, as the library does, and any other under a lock.  As in abi_atomic.c the operation and
 * its record are one step; what it reads and writes elsewhere (`desired`, `expected`, the result) are plain accesses.
 *
 * The names are weak: a program may have libatomic.a inside, of which another part asks for the same member.
 */
#include "native/record.h"
#include "native/state.h"

enum what { LOAD, STORE, EXCHANGE, COMPARE };

/* One operation.  old: the result, or what is expected, which a failed comparison changes; desired: the new value. */
struct operation {
    enum what what;
    size_t n;
    void *object, *old;
    const void *desired;
    int order, fail_order; /* memory_order */
};

/* ---- the operation itself ---- */

/* __tsan_atomic*: inside the runtime, and where it cannot be entered, only the operation. */
#define FUNCTIONS(bits, type)                                                                               \
    type __tsan_atomic##bits##_load(const volatile type *p, int order);                                     \
    void __tsan_atomic##bits##_store(volatile type *p, type v, int order);                                  \
    type __tsan_atomic##bits##_exchange(volatile type *p, type v, int order);                               \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type *p, type *expect, type v, int order, int fail_order); \
    static bool by_instruction##bits(const struct operation *o)                                             \
    {                                                                                                       \
        type old = 0, desired = 0, *object = (type *)o->object;                                             \
        bool done = true;                                                                                   \
        if (o->what == COMPARE)                                                                             \
            __builtin_memcpy(&old, o->old, sizeof old);                                                     \
        if (o->what != LOAD)                                                                                \
            __builtin_memcpy(&desired, o->desired, sizeof desired);                                         \
        switch (o->what) {                                                                                  \
        case LOAD: old = __tsan_atomic##bits##_load(object, 5); break;                                      \
        case STORE: __tsan_atomic##bits##_store(object, desired, 5); break;                                 \
        case EXCHANGE: old = __tsan_atomic##bits##_exchange(object, desired, 5); break;                     \
        case COMPARE: done = __tsan_atomic##bits##_compare_exchange_strong(object, &old, desired, 5, 5); break; \
        }                                                                                                   \
        if (o->what == LOAD || o->what == EXCHANGE || !done)                                                \
            __builtin_memcpy(o->old, &old, sizeof old);                                                     \
        return done;                                                                                        \
    }
FUNCTIONS(8, uint8_t)
FUNCTIONS(16, uint16_t)
FUNCTIONS(32, uint32_t)
FUNCTIONS(64, uint64_t)
FUNCTIONS(128, unsigned __int128)

/* Without builtins, which could become calls of what we stand in front of. */
static void copy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile uint8_t *)to)[i] = ((const uint8_t *)from)[i];
}

static bool equal(const void *a, const void *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((const volatile uint8_t *)a)[i] != ((const uint8_t *)b)[i])
            return false;
    return true;
}

static struct gl_spin *lock_of(uintptr_t object)
{
    static struct gl_spin locks[64];
    return &locks[(object >> 4 ^ object >> 10) % 64];
}

static bool by_lock(const struct operation *o)
{
    struct gl_spin *lock = lock_of((uintptr_t)o->object);
    gl_spin_lock(lock);
    bool done = o->what != COMPARE || equal(o->object, o->old, o->n);
    if (o->what == LOAD || !done) {
        copy(o->old, o->object, o->n);
    } else {
        for (size_t i = 0; i < o->n; i++) { /* the result and the new value may be the same bytes */
            uint8_t was = ((uint8_t *)o->object)[i];
            ((volatile uint8_t *)o->object)[i] = ((const uint8_t *)o->desired)[i];
            if (o->what == EXCHANGE)
                ((uint8_t *)o->old)[i] = was;
        }
    }
    gl_spin_unlock(lock);
    return done;
}

static bool operate(const struct operation *o)
{
    if ((uintptr_t)o->object % (o->n ? o->n : 1) == 0)
        switch (o->n) {
        case 1: return by_instruction8(o);
        case 2: return by_instruction16(o);
        case 4: return by_instruction32(o);
        case 8: return by_instruction64(o);
        case 16: return by_instruction128(o);
        }
    return by_lock(o);
}

/* ---- with its record ---- */

static bool step(struct rt_thread *t, const struct operation *o, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)o->object;
    enum gl_order order = rt_order_of(o->order);
    struct rt_findings f;
    struct rt_atomic hold = rt_atomic_lock(t, a, true);
    bool done = operate(o), writes = done && o->what != LOAD;
    if (!done)
        order = rt_order_of(o->fail_order);
    if (hold.s && o->what != STORE)
        gl_atomic_acquire_part(t->core, hold.s, order);
    rt_access_inside(t, a, (unsigned)o->n, GL_ACCESS_ATOMIC | (writes ? GL_ACCESS_WRITE : GL_ACCESS_READ), pc, &f);
    if (hold.s && writes)
        o->what == STORE ? rt_atomic_stored(t, &hold, order) : gl_atomic_rmw_part(t->core, hold.s, order);
    rt_record_atomic(t, !writes ? GL_OP_LOAD : o->what == STORE ? GL_OP_STORE : GL_OP_RMW, order, a, (unsigned)o->n, pc);
    rt_atomic_unlock(&hold);
    rt_tell(t, &f);
    return done;
}

static bool perform(const struct operation *o, uintptr_t pc)
{
    if (o->what != LOAD)
        rt_reads((uintptr_t)o->desired, o->n, pc);
    if (o->what == COMPARE)
        rt_reads((uintptr_t)o->old, o->n, pc);
    struct rt_thread *t = rt_enter();
    bool done = t ? step(t, o, pc) : operate(o);
    if (t)
        rt_leave();
    if (o->what == LOAD || o->what == EXCHANGE || !done)
        rt_writes((uintptr_t)o->old, o->n, pc);
    return done;
}

/* Compilers know these names as functions of their own, with other types. */
#define NAMED(name) __asm__(#name) __attribute__((weak))

RT_EXPORT void rt_libatomic_load(size_t n, const void *object, void *result, int order) NAMED(__atomic_load);
void rt_libatomic_load(size_t n, const void *object, void *result, int order)
{
    perform(&(struct operation){LOAD, n, (void *)(uintptr_t)object, result, NULL, order, order}, RT_CALLER());
}

RT_EXPORT void rt_libatomic_store(size_t n, void *object, const void *desired, int order) NAMED(__atomic_store);
void rt_libatomic_store(size_t n, void *object, const void *desired, int order)
{
    perform(&(struct operation){STORE, n, object, NULL, desired, order, order}, RT_CALLER());
}

RT_EXPORT void rt_libatomic_exchange(size_t n, void *object, const void *desired, void *result, int order) NAMED(__atomic_exchange);
void rt_libatomic_exchange(size_t n, void *object, const void *desired, void *result, int order)
{
    perform(&(struct operation){EXCHANGE, n, object, result, desired, order, order}, RT_CALLER());
}

RT_EXPORT bool rt_libatomic_compare_exchange(size_t n, void *object, void *expected, const void *desired, int order, int fail_order)
    NAMED(__atomic_compare_exchange);
bool rt_libatomic_compare_exchange(size_t n, void *object, void *expected, const void *desired, int order, int fail_order)
{
    return perform(&(struct operation){COMPARE, n, object, expected, desired, order, fail_order}, RT_CALLER());
}

RT_EXPORT bool rt_libatomic_compare_exchange_16(void *object, void *expected, unsigned __int128 desired, int order, int fail_order)
    NAMED(__atomic_compare_exchange_16);
bool rt_libatomic_compare_exchange_16(void *object, void *expected, unsigned __int128 desired, int order, int fail_order)
{
    uintptr_t pc = RT_CALLER();
    unsigned __int128 was;
    rt_reads((uintptr_t)expected, sizeof was, pc);
    __builtin_memcpy(&was, expected, sizeof was);
    struct operation o = {COMPARE, sizeof was, object, &was, &desired, order, fail_order};
    struct rt_thread *t = rt_enter();
    bool done = t ? step(t, &o, pc) : operate(&o);
    if (t)
        rt_leave();
    if (!done) {
        rt_writes((uintptr_t)expected, sizeof was, pc);
        __builtin_memcpy(expected, &was, sizeof was);
    }
    return done;
}
