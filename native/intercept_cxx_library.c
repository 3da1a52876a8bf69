/* SPDX-License-Identifier: Apache-2.0
 *
 * Order that C++'s libraries make by atomic operations of their own, which no compiler instrumented for us: the counts of who holds an
 * exception (std::exception_ptr), the handlers and the memory resource that one thread sets and others get, and in libc++ the counts of weak pointers and of who has arrived at a barrier.
 *
 * An exception's count is in front of it, in both libraries: they agree on where the destructor is, so that one may destroy what the other
 * threw.  Who drops it while others hold it is recorded as a release before, and puts a destructor of ours in place of the exception's.  The last
 * one, whom the library has call that, comes after all of them: their releases were recorded before their decrements, and those came before
 * its own.
 */
#include "native/intercept_libc.h"

/* ---- exceptions ---- */

/* From the thrown object, on machines of 64 bits: struct __cxa_refcounted_exception of libstdc++ (unwind-cxx.h) and struct __cxa_exception of
 * libc++abi (cxa_exception.h), which both clear when they make one.  The first has padding behind its count, the second
 * begins with a field that is there for the alignment only. */
enum {
    UNWIND = -32, /* struct _Unwind_Exception, whose first word is the class */
    DESTRUCTOR = -104,
    GNU_COUNT = -128, /* int */
    GNU_SPARE = -120,
    CLANG_COUNT = -120, /* size_t */
    CLANG_SPARE = -128,
};
/* From a caught exception's struct _Unwind_Exception.  One that is dependent, made by std::rethrow_exception(), names the object. */
enum { GNU_HEADER = -80, CLANG_HEADER = -96, GNU_PRIMARY = -80, CLANG_PRIMARY = -88 };
#define GNU_CLASS   UINT64_C(0x474e5543432b2b00) /* "GNUCC++", and 1 for a dependent one */
#define CLANG_CLASS UINT64_C(0x434c4e47432b2b00) /* "CLNGC++" */

typedef void (*destructor)(void *thrown);

#define AT(type, p, offset) (*(type *)((char *)(p) + (offset)))

/* Where its order is kept: no object of the program's is there. */
static uintptr_t order_of(void *thrown)
{
    return (uintptr_t)thrown + DESTRUCTOR;
}

static void destroy(void *thrown, destructor own, uintptr_t pc)
{
    RT_RECORD(t, rt_acquire(t, order_of(thrown), RT_SEM, pc));
    if (own)
        own(thrown);
}

static void destroy_gnu(void *thrown)
{
    destroy(thrown, AT(destructor, thrown, GNU_SPARE), RT_CALLER());
}

static void destroy_clang(void *thrown)
{
    destroy(thrown, AT(destructor, thrown, CLANG_SPARE), RT_CALLER());
}

/* The caller is about to drop what it holds of an exception, if it is one of these libraries'. */
static void drops(void *thrown, uintptr_t pc)
{
    uint64_t class = AT(uint64_t, thrown, UNWIND);
    size_t count = class == GNU_CLASS ? (size_t)__atomic_load_n(&AT(int, thrown, GNU_COUNT), __ATOMIC_RELAXED)
                   : class == CLANG_CLASS ? __atomic_load_n(&AT(size_t, thrown, CLANG_COUNT), __ATOMIC_RELAXED)
                                          : 1;
    if (count <= 1) /* relaxed: nobody else has it, or can get it */
        return;
    bool gnu = class == GNU_CLASS;
    destructor ours = gnu ? destroy_gnu : destroy_clang, own = __atomic_load_n(&AT(destructor, thrown, DESTRUCTOR), __ATOMIC_ACQUIRE);
    if (own != ours) { /* acquire: pairs with the exchange; several threads at once keep the same */
        __atomic_store_n(&AT(destructor, thrown, gnu ? GNU_SPARE : CLANG_SPARE), own, __ATOMIC_RELAXED);
        __atomic_compare_exchange_n(&AT(destructor, thrown, DESTRUCTOR), &own, ours, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
    }
    RT_RECORD(t, rt_release(t, order_of(thrown), RT_SEM, pc));
}

INTERCEPT(void, _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, (void **pointer))
{
    uintptr_t pc = RT_CALLER();
    if (*pointer)
        drops(*pointer, pc);
    CXX_REAL(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, "__cxa_get_globals", pc)(pointer);
}

INTERCEPT(void, __cxa_decrement_exception_refcount, (void *thrown))
{
    uintptr_t pc = RT_CALLER();
    if (thrown)
        drops(thrown, pc);
    CXX_REAL(__cxa_decrement_exception_refcount, "__cxa_get_globals", pc)(thrown);
}

INTERCEPT(void, __cxa_end_catch, (void))
{
    uintptr_t pc = RT_CALLER();
    static void *get_globals;
    void **(*globals)(void) = (void **(*)(void))rt_real_for(&get_globals, "__cxa_get_globals", "__cxa_get_globals", pc);
    char *header = *globals(); /* the last exception that the thread has caught */
    if (header) {
        uint64_t gnu = AT(uint64_t, header, -GNU_HEADER), clang = AT(uint64_t, header, -CLANG_HEADER);
        if ((gnu & ~UINT64_C(1)) == GNU_CLASS)
            drops(gnu & 1 ? AT(void *, header, GNU_PRIMARY - GNU_HEADER) : header - GNU_HEADER - UNWIND, pc);
        else if ((clang & ~UINT64_C(1)) == CLANG_CLASS)
            drops(clang & 1 ? AT(void *, header, CLANG_PRIMARY - CLANG_HEADER) : header - CLANG_HEADER - UNWIND, pc);
    }
    CXX_REAL(__cxa_end_catch, "__cxa_get_globals", pc)();
}

/* ---- what a thread sets for all ---- */

/* Who gets it comes after who set it, and who sets it after who did before (C++17, [handler.functions] and [mem.res.global]); each is one step with its record. */
static void *got(void *(*real)(void), void *(*set)(void *), uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return real();
    struct rt_sync *s = rt_sync_lock(t, (uintptr_t)set, RT_ATOMIC, pc); /* no object of the program's is there */
    void *value = real();
    rt_sync_acquire_locked(t, s);
    rt_sync_unlock(s);
    rt_leave();
    return value;
}

static void *replaced(void *(*real)(void *), void *value, uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return real(value);
    struct rt_sync *s = rt_sync_lock(t, (uintptr_t)real, RT_ATOMIC, pc);
    void *before = real(value);
    rt_sync_acquire_locked(t, s);
    rt_sync_release_locked(t, s);
    rt_sync_unlock(s);
    rt_leave();
    return before;
}

/* other: as of CXX_REAL. */
#define SETTING(set, get, other)                                                                      \
    static void *rt_setter_##get;                                                                     \
    INTERCEPT(void *, set, (void *value))                                                             \
    {                                                                                                 \
        uintptr_t pc = RT_CALLER();                                                                   \
        return replaced(CXX_REAL(set, other, pc), value, pc);                                         \
    }                                                                                                 \
    INTERCEPT(void *, get, (void))                                                                    \
    {                                                                                                 \
        uintptr_t pc = RT_CALLER();                                                                   \
        return got(CXX_REAL(get, other, pc), (rt_type_##set)rt_real_for(&rt_setter_##get, #set, other, pc), pc); \
    }

SETTING(_ZSt15set_new_handlerPFvvE, _ZSt15get_new_handlerv, "__cxa_get_globals")
SETTING(_ZSt13set_terminatePFvvE, _ZSt13get_terminatev, "__cxa_get_globals")
SETTING(_ZNSt3pmr20set_default_resourceEPNS_15memory_resourceE, _ZNSt3pmr20get_default_resourceEv, "__cxa_get_globals")

/* ---- libc++ ---- */

/* The base of control blocks.  Counts are one less than their holders.  What is done in place of the library is what its memory.cpp does; the rest
 * of a shared pointer is in the program's own code. */
struct shared_weak_count {
    void (*const *virtual)(struct shared_weak_count *);
    long shared, weak;
};
enum { ON_ZERO_SHARED = 2, ON_ZERO_WEAK = 4 }; /* of the virtual functions, after two destructors; the type's deleter is between them */

/* One step with its record, as an atomic operation of the program's would be. */
static long drop_count(long *count, uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL); /* pairs with itself in other threads, as below */
    struct rt_sync *s = rt_sync_lock(t, (uintptr_t)count, RT_ATOMIC, pc);
    long left = __atomic_sub_fetch(count, 1, __ATOMIC_ACQ_REL);
    rt_sync_acquire_locked(t, s);
    rt_sync_release_locked(t, s);
    rt_sync_unlock(s);
    rt_leave();
    return left;
}

#define RELEASE_WEAK   _ZNSt3__119__shared_weak_count14__release_weakEv
#define RELEASE_SHARED _ZNSt3__119__shared_weak_count16__release_sharedEv
#define LOCK           _ZNSt3__119__shared_weak_count4lockEv

static void release_weak(struct shared_weak_count *c, uintptr_t pc)
{
    if (drop_count(&c->weak, pc) != -1)
        return;
    /* The sharers' own weak reference goes after all of them; the last one may have been counted inside the library. */
    RT_RECORD(t, rt_acquire(t, (uintptr_t)&c->shared, RT_ATOMIC, pc));
    c->virtual[ON_ZERO_WEAK](c);
}

RT_EXPORT void RELEASE_WEAK(struct shared_weak_count *c);
RT_EXPORT void RELEASE_WEAK(struct shared_weak_count *c)
{
    release_weak(c, RT_CALLER());
}

RT_EXPORT void RELEASE_SHARED(struct shared_weak_count *c);
RT_EXPORT void RELEASE_SHARED(struct shared_weak_count *c)
{
    uintptr_t pc = RT_CALLER();
    if (drop_count(&c->shared, pc) != -1)
        return;
    c->virtual[ON_ZERO_SHARED](c);
    release_weak(c, pc);
}

/* NULL: nobody shares it any more. */
RT_EXPORT struct shared_weak_count *LOCK(struct shared_weak_count *c);
RT_EXPORT struct shared_weak_count *LOCK(struct shared_weak_count *c)
{
    uintptr_t pc = RT_CALLER();
    struct rt_thread *t = rt_enter();
    struct rt_sync *s = t ? rt_sync_lock(t, (uintptr_t)&c->shared, RT_ATOMIC, pc) : NULL;
    long count = __atomic_load_n(&c->shared, __ATOMIC_RELAXED);
    /* acquire and release: as the library's; pairs with itself and drop_count() in other threads */
    while (count != -1 && !__atomic_compare_exchange_n(&c->shared, &count, count + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
    if (t) {
        rt_sync_acquire_locked(t, s);
        if (count != -1)
            rt_sync_release_locked(t, s);
        rt_sync_unlock(s);
        rt_leave();
    }
    return count == -1 ? NULL : c;
}

/* True: the caller is the last one to arrive, and goes on with the completion, before which every arrival of the phase happens (C++20,
 * [thread.barrier.class]). */
INTERCEPT(bool, _ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh, (void *barrier, uint8_t phase))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_release(t, (uintptr_t)barrier, RT_SEM, pc));
    bool last = CXX_REAL(_ZNSt3__131__arrive_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseEh,
                         "_ZNSt3__132__destroy_barrier_algorithm_baseEPNS_24__barrier_algorithm_baseE", pc)(barrier, phase);
    if (last)
        RT_RECORD(t, rt_acquire(t, (uintptr_t)barrier, RT_SEM, pc));
    return last;
}

/* std::call_once() of libc++, whose library runs the function and says in the flag that it did; the program's code reads that. */
struct once_call {
    void *arg;
    void (*fn)(void *);
    volatile unsigned long *flag;
    uintptr_t pc;
};

static void once_body(void *p)
{
    const struct once_call *c = p;
    c->fn(c->arg); /* may throw: then others try, which the library's own lock orders */
    RT_RECORD(t, rt_release(t, (uintptr_t)c->flag, RT_ATOMIC, c->pc));
}

INTERCEPT(void, _ZNSt3__111__call_onceERVmPvPFvS2_E, (volatile unsigned long *flag, void *arg, void (*fn)(void *)))
{
    uintptr_t pc = RT_CALLER();
    struct once_call c = {arg, fn, flag, pc};
    CXX_REAL(_ZNSt3__111__call_onceERVmPvPFvS2_E, "_ZNSt3__15mutex4lockEv", pc)(flag, &c, once_body);
    RT_RECORD(t, rt_acquire(t, (uintptr_t)flag, RT_ATOMIC, pc));
}
