/* SPDX-License-Identifier: Apache-2.0
 *
 * C++ from C: operator new and delete by their mangled names, and the guards of function-local statics.
 *
 * A program may replace operator new(size_t) and operator delete(void *), the forms for arrays, and both with an alignment; the standard
 * library's other forms call these, so that a replacement is called ([new.delete]).  We stand in front of those other forms: when
 * the program has replaced what they call we leave them to the library.
 */
#include "native/intercept_libc.h"

#include <linux/futex.h>
#include <stdlib.h>

#include "native/state.h"
#include "platform/linux/syscall.h"
#include "platform/platform.h"

typedef size_t align_t; /* std::align_val_t is an enumeration over size_t */
#define UNUSED __attribute__((unused))

/* The same functions under names that a replacement cannot take.  The assembler keeps such names out of the table of symbols, from which
 * reports take what a function is called. */
#define OWN(name) __asm__(".L" #name)

/* Has the program replaced it?  volatile: the compiler knows both names as one function and does not know of replacement. */
#define REPLACEABLE(name, result, params, what)                                                              \
    static result own_##what params OWN(own_##what) __attribute__((alias(#name)));                           \
    static inline result(*what##_now(void)) params                                                           \
    {                                                                                                        \
        result(*volatile present) params = name;                                                             \
        return present;                                                                                      \
    }                                                                                                        \
    static inline bool what##_replaced(void) { return what##_now() != own_##what; }

#define FORM(name) CXX_REAL(name, "__cxa_get_globals", pc)

/* calls: what the standard library's calls, if that is replaced. */
#define NEW(name, params, args, replaced, calls, allocate)                                                   \
    INTERCEPT(void *, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (replaced)                                                                                        \
            return calls;                                                                                    \
        void *p = allocate;                                                                                  \
        return p ? p : FORM(name) args; /* calls the new-handler, throws bad_alloc */                        \
    }

#define DELETE(name, params, replaced, calls)                                                                \
    INTERCEPT(void, name, params)                                                                            \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (replaced)                                                                                        \
            calls;                                                                                           \
        else if (p)                                                                                          \
            rt_free(p, pc);                                                                                  \
    }

#define PLAIN   rt_malloc(n ? n : 1, pc)
#define ALIGNED ((align & (align - 1)) || !align ? NULL : rt_memalign(align, n ? n : 1, pc)) /* the library says what is wrong */

typedef const void *nothrow_t; /* const std::nothrow_t & */

/* The forms with std::nothrow catch what the others throw: that is the library's matter. */
NEW(_Znwm, (size_t n), (n), false, NULL, PLAIN)
REPLACEABLE(_Znwm, void *, (size_t n), new)
NEW(_Znam, (size_t n), (n), new_replaced(), new_now()(n), PLAIN)
REPLACEABLE(_Znam, void *, (size_t n), array)
NEW(_ZnwmRKSt9nothrow_t, (size_t n, nothrow_t tag), (n, tag), new_replaced(), FORM(_ZnwmRKSt9nothrow_t)(n, tag), PLAIN)
NEW(_ZnamRKSt9nothrow_t, (size_t n, nothrow_t tag), (n, tag), array_replaced() || new_replaced(), FORM(_ZnamRKSt9nothrow_t)(n, tag), PLAIN)

/* The aligned forms have a basic form of their own, which allocates without operator new(size_t). */
NEW(_ZnwmSt11align_val_t, (size_t n, align_t align), (n, align), false, NULL, ALIGNED)
REPLACEABLE(_ZnwmSt11align_val_t, void *, (size_t n, align_t align), aligned)
NEW(_ZnamSt11align_val_t, (size_t n, align_t align), (n, align), aligned_replaced(), aligned_now()(n, align), ALIGNED)
REPLACEABLE(_ZnamSt11align_val_t, void *, (size_t n, align_t align), aligned_array)
NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, align_t align, nothrow_t tag), (n, align, tag), aligned_replaced(),
    FORM(_ZnwmSt11align_val_tRKSt9nothrow_t)(n, align, tag), ALIGNED)
NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, align_t align, nothrow_t tag), (n, align, tag), aligned_array_replaced() || aligned_replaced(),
    FORM(_ZnamSt11align_val_tRKSt9nothrow_t)(n, align, tag), ALIGNED)

/* Those of delete only call one another. */
DELETE(_ZdlPv, (void *p), false, (void)0)
REPLACEABLE(_ZdlPv, void, (void *p), delete)
DELETE(_ZdlPvm, (void *p, size_t n UNUSED), delete_replaced(), delete_now()(p))
DELETE(_ZdlPvRKSt9nothrow_t, (void *p, nothrow_t tag UNUSED), delete_replaced(), delete_now()(p))
DELETE(_ZdaPv, (void *p), delete_replaced(), delete_now()(p))
REPLACEABLE(_ZdaPv, void, (void *p), delete_array)
DELETE(_ZdaPvm, (void *p, size_t n UNUSED), delete_array_replaced() || delete_replaced(), delete_array_now()(p))
DELETE(_ZdaPvRKSt9nothrow_t, (void *p, nothrow_t tag UNUSED), delete_array_replaced() || delete_replaced(), delete_array_now()(p))

DELETE(_ZdlPvSt11align_val_t, (void *p, align_t align UNUSED), false, (void)0)
REPLACEABLE(_ZdlPvSt11align_val_t, void, (void *p, align_t align), delete_aligned)
DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n UNUSED, align_t align), delete_aligned_replaced(), delete_aligned_now()(p, align))
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *p, align_t align, nothrow_t tag UNUSED), delete_aligned_replaced(), delete_aligned_now()(p, align))
DELETE(_ZdaPvSt11align_val_t, (void *p, align_t align), delete_aligned_replaced(), delete_aligned_now()(p, align))
REPLACEABLE(_ZdaPvSt11align_val_t, void, (void *p, align_t align), delete_aligned_array)
DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n UNUSED, align_t align), delete_aligned_array_replaced() || delete_aligned_replaced(),
       delete_aligned_array_now()(p, align))
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *p, align_t align, nothrow_t tag UNUSED), delete_aligned_array_replaced() || delete_aligned_replaced(),
       delete_aligned_array_now()(p, align))

/* ---- guards ---- */

/* The guard's word as libstdc++ on Linux has it, because a static in an inline function may meet both
 * implementations (one linked statically into some library):
 *
 *     bit 0   initialized: the byte that compiled code tests first, and the only one the C++ ABI fixes
 *     bit 8   somebody runs the initializer
 *     bit 16  somebody waits for that; legal to be set though nobody does
 *
 * The second half of its eight bytes says which thread that is, as in libc++abi: an initializer that needs its own variable is the library's matter, which
 * throws (libstdc++, while there is one thread), ends the program (libc++abi) or waits.
 *
 * Compiled code tests the byte with an atomic load, so the edges are on the atomic object at this address. */
enum { DONE = 1u, RUNNING = 1u << 8, WAITED_FOR = 1u << 16 };

RT_EXPORT int __cxa_guard_acquire(uint32_t *guard);
RT_EXPORT void __cxa_guard_release(uint32_t *guard);
RT_EXPORT void __cxa_guard_abort(uint32_t *guard);

/* Not the platform's futex, which is private to one process by its key: waiters and wakers must agree on the kind. */
static void guard_wait(uint32_t *guard, uint32_t expect)
{
    gl_syscall4(SYS_futex, guard, FUTEX_WAIT, expect, NULL);
}

static void guard_leave(uint32_t *guard, uint32_t value)
{
    __atomic_store_n(&guard[1], 0, __ATOMIC_RELAXED); /* relaxed: only this thread ever compares it with its own */
    /* release: pairs with the acquires in __cxa_guard_acquire() and in compiled code */
    if (__atomic_exchange_n(guard, value, __ATOMIC_ACQ_REL) & WAITED_FOR)
        gl_syscall3(SYS_futex, guard, FUTEX_WAKE, INT32_MAX);
}

/* By the thread that runs the initializer.  libstdc++ throws or waits; libc++abi, whose bits are others, ends the program, and so do we where the linker
 * has left out the function of a library that is in the program, since it had ours. */
static int guard_again(uint32_t *guard, uintptr_t pc)
{
    static const char text[] = "goldilocks: __cxa_guard_acquire: recursive initialization: the initializer of a static variable in a function needs that variable\n";
    static void *real, *of_libcxxabi;
    int (*acquire)(uint32_t *) = (int (*)(uint32_t *))rt_real_near(&real, "__cxa_guard_acquire", "__cxa_get_globals", pc);
    if (acquire && !rt_real_near(&of_libcxxabi, "__cxa_decrement_exception_refcount", "__cxa_get_globals", pc))
        return acquire(guard);
    rt_print(text, sizeof text - 1);
    abort();
}

/* 1: the caller runs the initializer and then calls release or abort.  0: it is done. */
RT_EXPORT int __cxa_guard_acquire(uint32_t *guard)
{
    uintptr_t pc = RT_CALLER();
    for (;;) {
        uint32_t now = 0;
        /* acquire: pairs with guard_leave() */
        if (__atomic_compare_exchange_n(guard, &now, RUNNING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
            __atomic_store_n(&guard[1], gl_os_tid(), __ATOMIC_RELAXED);
            RT_RECORD(t, rt_acquire(t, (uintptr_t)guard, RT_ATOMIC, pc)); /* after one that threw */
            return 1;
        }
        if (now & DONE) {
            RT_RECORD(t, rt_acquire(t, (uintptr_t)guard, RT_ATOMIC, pc));
            return 0;
        }
        if (RT_UNLIKELY(__atomic_load_n(&guard[1], __ATOMIC_RELAXED) == gl_os_tid())) /* relaxed: see guard_leave() */
            return guard_again(guard, pc);
        /* relaxed: only asks to be woken */
        if ((now & WAITED_FOR) || __atomic_compare_exchange_n(guard, &now, now | WAITED_FOR, false,
                                                              __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            guard_wait(guard, RUNNING | WAITED_FOR);
    }
}

RT_EXPORT void __cxa_guard_release(uint32_t *guard)
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_release(t, (uintptr_t)guard, RT_ATOMIC, pc));
    guard_leave(guard, DONE);
}

/* The initializer threw: the next thread tries. */
RT_EXPORT void __cxa_guard_abort(uint32_t *guard)
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_release(t, (uintptr_t)guard, RT_ATOMIC, pc));
    guard_leave(guard, 0);
}
