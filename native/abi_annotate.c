/* SPDX-License-Identifier: Apache-2.0
 *
 * What programs say of their own synchronization: the dynamic annotations (one name per sentence of
 * dynamic_annotations.h), and ThreadSanitizer's interface for locks that a program makes itself.
 *
 * An annotation is believed.  Those that spoke to older detectors, and whose absence cannot cause a false report,
 * do nothing; they exist because programs refer to them.
 */
#include "native/misuse.h"
#include "native/own_lock.h"
#include "native/state.h"

#define ANNOTATION(name, params, ...)                                                                        \
    RT_EXPORT void name params;                                                                              \
    RT_EXPORT void name params                                                                               \
    {                                                                                                        \
        (void)file, (void)line;                                                                              \
        struct rt_thread *t = rt_enter();                                                                    \
        if (!t)                                                                                              \
            return;                                                                                          \
        uintptr_t pc = RT_CALLER();                                                                          \
        (void)pc;                                                                                            \
        __VA_ARGS__;                                                                                         \
        rt_leave();                                                                                          \
    }

typedef const char *text;

/* ---- order ---- */

#define SOURCE(name)                                                                                         \
    ANNOTATION(name, (text file, int line, void *p), rt_release(t, (uintptr_t)p, RT_USER, pc))
#define SINK(name) ANNOTATION(name, (text file, int line, void *p), rt_acquire(t, (uintptr_t)p, RT_USER, pc))
#define BEFORE(name) ANNOTATION(name, (text file, int line, void *p), rt_told_release(t, (uintptr_t)p, pc))
#define AFTER(name) ANNOTATION(name, (text file, int line, void *p), rt_told_acquire(t, (uintptr_t)p, pc))

BEFORE(AnnotateHappensBefore)
AFTER(AnnotateHappensAfter)
BEFORE(WTFAnnotateHappensBefore)
AFTER(WTFAnnotateHappensAfter)
SOURCE(AnnotateCondVarSignal)
SOURCE(AnnotateCondVarSignalAll)
SOURCE(AnnotatePCQPut)
SINK(AnnotatePCQGet)
ANNOTATION(AnnotateCondVarWait, (text file, int line, void *p, void *lock), (void)lock;
           rt_acquire(t, (uintptr_t)p, RT_USER, pc))
ANNOTATION(AnnotatePCQCreate, (text file, int line, void *p), rt_sync_create(t, (uintptr_t)p, RT_USER, pc))
ANNOTATION(AnnotatePCQDestroy, (text file, int line, void *p), rt_sync_destroy(t, (uintptr_t)p, RT_USER, pc))

/* ---- locks ---- */

ANNOTATION(AnnotateRWLockCreate, (text file, int line, void *p), rt_own_created(t, (uintptr_t)p, RT_OWN_REENTRANT, pc))
ANNOTATION(AnnotateRWLockCreateStatic, (text file, int line, void *p),
           rt_own_created(t, (uintptr_t)p, RT_OWN_REENTRANT | RT_OWN_STATIC, pc))
ANNOTATION(AnnotateRWLockDestroy, (text file, int line, void *p), rt_own_destroyed(t, (uintptr_t)p, 0, pc))
ANNOTATION(AnnotateRWLockReleased, (text file, int line, void *p, long writes),
           (void)rt_own_unlocking(t, (uintptr_t)p, writes ? 0 : RT_OWN_READ, false, pc))

/* Told when it has it already: that it waited is seen here too. */
RT_EXPORT void AnnotateRWLockAcquired(text file, int line, void *p, long writes);
RT_EXPORT void AnnotateRWLockAcquired(text file, int line, void *p, long writes)
{
    uintptr_t pc = RT_CALLER();
    unsigned how = writes ? 0 : RT_OWN_READ;
    (void)file, (void)line;
    rt_own_wanted((uintptr_t)p, how | RT_OWN_REENTRANT, pc);
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    rt_own_locked(t, (uintptr_t)p, how, 1, pc);
    rt_leave();
}

/* ---- what is not to be looked at ---- */

static void ignore_accesses(bool begin)
{
    if (begin && rt_tls.ignore_accesses++ == 0)
        rt_show_key();
    else if (!begin && rt_tls.ignore_accesses && --rt_tls.ignore_accesses == 0)
        rt_show_key();
}

static void ignore_sync(bool begin)
{
    if (begin)
        rt_tls.ignore_sync++;
    else if (rt_tls.ignore_sync)
        rt_tls.ignore_sync--;
}

#define SWITCH(name, ignore, begin) ANNOTATION(name, (text file, int line), ignore(begin))

SWITCH(AnnotateIgnoreReadsBegin, ignore_accesses, true)
SWITCH(AnnotateIgnoreReadsEnd, ignore_accesses, false)
SWITCH(AnnotateIgnoreWritesBegin, ignore_accesses, true)
SWITCH(AnnotateIgnoreWritesEnd, ignore_accesses, false)
SWITCH(AnnotateIgnoreSyncBegin, ignore_sync, true)
SWITCH(AnnotateIgnoreSyncEnd, ignore_sync, false)

/* ---- memory ---- */

ANNOTATION(AnnotateNewMemory, (text file, int line, void *p, size_t n), rt_memory_fresh(t, (uintptr_t)p, n))

ANNOTATION(AnnotateBenignRace, (text file, int line, void *p, text why), (void)why;
           rt_benign_add((uintptr_t)p, 1))
ANNOTATION(AnnotateBenignRaceSized, (text file, int line, void *p, size_t n, text why), (void)why;
           rt_benign_add((uintptr_t)p, n))
ANNOTATION(WTFAnnotateBenignRaceSized, (text file, int line, void *p, size_t n, text why), (void)why;
           rt_benign_add((uintptr_t)p, n))
ANNOTATION(AnnotateExpectRace, (text file, int line, void *p, text why), (void)why;
           rt_benign_add((uintptr_t)p, 1))

/* Ranges in which races are not reported, sorted by nothing: they are few, and only reports look. */
struct benign {
    uintptr_t lo, hi;
    struct benign *next;
};
static struct {
    struct gl_spin lock;
    struct benign *first;
} benign;

void rt_benign_add(uintptr_t p, size_t n)
{
    gl_spin_lock(&benign.lock);
    struct benign *b = benign.first;
    while (b && !(b->lo <= p && p + n <= b->hi)) /* a constructor may say it again and again */
        b = b->next;
    if (!b && (b = gl_arena_alloc(sizeof *b))) {
        *b = (struct benign){p, p + n, benign.first};
        benign.first = b;
    }
    gl_spin_unlock(&benign.lock);
}

bool rt_benign(uintptr_t p, size_t n)
{
    gl_spin_lock(&benign.lock);
    struct benign *b = benign.first;
    while (b && !(p < b->hi && b->lo < p + n))
        b = b->next;
    gl_spin_unlock(&benign.lock);
    return b != NULL;
}

/* ---- threads ---- */

ANNOTATION(AnnotateThreadName, (text file, int line, text name), __tsan_set_fiber_name(t, name))

/* ---- nothing to do ---- */

#define NOTHING(name, params, ...)                                                                           \
    RT_EXPORT void name params;                                                                              \
    RT_EXPORT void name params { (void)file, (void)line, __VA_ARGS__; }

NOTHING(AnnotateFlushState, (text file, int line), (void)0)
NOTHING(AnnotateFlushExpectedRaces, (text file, int line), (void)0)
NOTHING(AnnotateEnableRaceDetection, (text file, int line, int on), (void)on)
NOTHING(AnnotateMutexIsUsedAsCondVar, (text file, int line, void *p), (void)p)
NOTHING(AnnotateMutexIsNotPHB, (text file, int line, void *p), (void)p)
NOTHING(AnnotateTraceMemory, (text file, int line, void *p), (void)p)
NOTHING(AnnotateNoOp, (text file, int line, void *p), (void)p)
NOTHING(AnnotatePublishMemoryRange, (text file, int line, void *p, size_t n), (void)p, (void)n)
NOTHING(AnnotateUnpublishMemoryRange, (text file, int line, void *p, size_t n), (void)p, (void)n)
NOTHING(AnnotateMemoryIsInitialized, (text file, int line, void *p, size_t n), (void)p, (void)n)
NOTHING(AnnotateMemoryIsUninitialized, (text file, int line, void *p, size_t n), (void)p, (void)n)

RT_EXPORT int RunningOnValgrind(void);
RT_EXPORT int RunningOnValgrind(void) { return 0; }

RT_EXPORT double ValgrindSlowdown(void);
RT_EXPORT double ValgrindSlowdown(void) { return 10.0; } /* about; programs multiply their timeouts by it */

/* "1" or "0": does the detector do this? */
RT_EXPORT const char *ThreadSanitizerQuery(const char *what);
RT_EXPORT const char *ThreadSanitizerQuery(const char *what)
{
    return __builtin_strcmp(what, "pure_happens_before") == 0 ? "1" : "0";
}

/* ---- a program's own locks ---- */

enum {
    LINKER_INIT = 1 << 0,
    WRITE_REENTRANT = 1 << 1,
    READ_REENTRANT = 1 << 2,
    READ_LOCK = 1 << 3,
    TRY_LOCK = 1 << 4,
    TRY_LOCK_FAILED = 1 << 5,
    RECURSIVE_LOCK = 1 << 6,
    RECURSIVE_UNLOCK = 1 << 7,
    NOT_STATIC = 1 << 8
};

#define LOCKS(ret, name, params, nothing, ...)                                                               \
    RT_EXPORT ret name params;                                                                               \
    RT_EXPORT ret name params                                                                                \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER(), m = (uintptr_t)mutex;                                                    \
        struct rt_thread *t = rt_enter();                                                                    \
        (void)flags, (void)pc, (void)m;                                                                      \
        if (!t)                                                                                              \
            return nothing;                                                                                  \
        __VA_ARGS__;                                                                                         \
        rt_leave();                                                                                          \
        return nothing;                                                                                      \
    }

/* Between `pre` and `post` the lock's own code runs: neither its accesses nor its atomics count. */
static void own_code(bool begin)
{
    ignore_accesses(begin);
    ignore_sync(begin);
}

static unsigned how(unsigned flags)
{
    return (flags & READ_LOCK ? RT_OWN_READ : 0) | (flags & LINKER_INIT ? RT_OWN_STATIC : 0) |
           (flags & NOT_STATIC ? RT_OWN_NOT_STATIC : 0) |
           (flags & (WRITE_REENTRANT | READ_REENTRANT | RECURSIVE_LOCK) ? RT_OWN_REENTRANT : 0);
}

LOCKS(void, __tsan_mutex_create, (void *mutex, unsigned flags), , rt_own_created(t, m, how(flags), pc))
LOCKS(void, __tsan_mutex_destroy, (void *mutex, unsigned flags), , rt_own_destroyed(t, m, how(flags), pc))

RT_EXPORT void __tsan_mutex_pre_lock(void *mutex, unsigned flags);
RT_EXPORT void __tsan_mutex_pre_lock(void *mutex, unsigned flags)
{
    if (!(flags & TRY_LOCK)) /* which does not wait */
        rt_own_wanted((uintptr_t)mutex, how(flags), RT_CALLER());
    if (!rt_enter())
        return;
    own_code(true);
    rt_leave();
}

LOCKS(void, __tsan_mutex_post_lock, (void *mutex, unsigned flags, int recursion), , own_code(false);
      if (!(flags & TRY_LOCK_FAILED))
          rt_own_locked(t, m, how(flags), flags &RECURSIVE_LOCK &&recursion > 0 ? (uint32_t)recursion : 1,
                        pc))
LOCKS(void, __tsan_mutex_post_unlock, (void *mutex, unsigned flags), , own_code(false))
LOCKS(void, __tsan_mutex_pre_signal, (void *mutex, unsigned flags), , own_code(true))
LOCKS(void, __tsan_mutex_post_signal, (void *mutex, unsigned flags), , own_code(false))
/* Something else runs meanwhile, and counts. */
LOCKS(void, __tsan_mutex_pre_divert, (void *mutex, unsigned flags), , own_code(false))
LOCKS(void, __tsan_mutex_post_divert, (void *mutex, unsigned flags), , own_code(true))

/* The program's own check, before a wait that may be long. */
RT_EXPORT void __tsan_check_no_mutexes_held(void);
RT_EXPORT void __tsan_check_no_mutexes_held(void)
{
    uintptr_t pc = RT_CALLER();
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    rt_misuse_held(t, pc);
    rt_leave();
}

/* How often the lock was held: for the `recursion` of the lock that follows a recursive unlock. */
RT_EXPORT int __tsan_mutex_pre_unlock(void *mutex, unsigned flags);
RT_EXPORT int __tsan_mutex_pre_unlock(void *mutex, unsigned flags)
{
    uintptr_t pc = RT_CALLER(), m = (uintptr_t)mutex;
    struct rt_thread *t = rt_enter();
    if (!t)
        return 0;
    uint32_t depth = rt_own_unlocking(t, m, how(flags), flags & RECURSIVE_UNLOCK, pc);
    own_code(true);
    rt_leave();
    return (int)depth;
}

/* ---- objects of other languages ---- */

/* A kind of object: its name is not shown yet in reports, whose location says what the address is. */
struct external_tag {
    const char *object, *header;
};

RT_EXPORT void *__tsan_external_register_tag(const char *object);
RT_EXPORT void *__tsan_external_register_tag(const char *object)
{
    struct external_tag *tag = gl_arena_alloc(sizeof *tag);
    if (tag)
        *tag = (struct external_tag){.object = object};
    return tag;
}

RT_EXPORT void __tsan_external_register_header(void *tag, const char *header);
RT_EXPORT void __tsan_external_register_header(void *tag, const char *header)
{
    if (tag)
        ((struct external_tag *)tag)->header = header;
}

RT_EXPORT void __tsan_external_assign_tag(void *p, void *tag);
RT_EXPORT void __tsan_external_assign_tag(void *p, void *tag) { (void)p, (void)tag; }

void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

/* A library says that its caller reads or writes the object. */
static void external(void *p, void *caller, unsigned kind, uintptr_t pc)
{
    if (caller)
        __tsan_func_entry(caller);
    rt_access_slow((uintptr_t)p, 1, kind, pc);
    if (caller)
        __tsan_func_exit();
}

RT_EXPORT void __tsan_external_read(void *p, void *caller, void *tag);
RT_EXPORT void __tsan_external_read(void *p, void *caller, void *tag)
{
    (void)tag;
    external(p, caller, GL_ACCESS_READ, RT_CALLER());
}

RT_EXPORT void __tsan_external_write(void *p, void *caller, void *tag);
RT_EXPORT void __tsan_external_write(void *p, void *caller, void *tag)
{
    (void)tag;
    external(p, caller, GL_ACCESS_WRITE, RT_CALLER());
}

/* ---- for tests of detectors ---- */

/* A barrier that orders nothing, of 32 bits as in LLVM since 14 (what older declarations have beyond is not used), from the lowest: the
 * threads, those that wait, the round. */
#define MEET_BITS 10
#define MEET_MOST ((1u << MEET_BITS) - 1)

RT_EXPORT void __tsan_testonly_barrier_init(uint32_t *barrier, unsigned threads);
RT_EXPORT void __tsan_testonly_barrier_init(uint32_t *barrier, unsigned threads)
{
    if (threads == 0 || threads > MEET_MOST)
        rt_die("__tsan_testonly_barrier_init: 1 to %u threads can meet, not %u", MEET_MOST, threads);
    __atomic_store_n(barrier, threads, __ATOMIC_RELEASE); /* pairs with the wait's exchange */
}

RT_EXPORT void __tsan_testonly_barrier_wait(uint32_t *barrier);
RT_EXPORT void __tsan_testonly_barrier_wait(uint32_t *barrier)
{
    uint32_t before = __atomic_load_n(barrier, __ATOMIC_RELAXED), after; /* relaxed: the exchange says whether it is right */
    bool last;
    do {
        uint32_t threads = before & MEET_MOST, waiting = before >> MEET_BITS & MEET_MOST, round = before >> 2 * MEET_BITS;
        last = waiting + 1 >= threads;
        after = last ? threads | (round + 1) << 2 * MEET_BITS : before + (1u << MEET_BITS);
    } while (!__atomic_compare_exchange_n(barrier, &before, after, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
    if (last) {
        gl_os_futex_wake(barrier, INT32_MAX);
        return;
    }
    uint32_t round = before >> 2 * MEET_BITS;
    for (uint32_t now; (now = __atomic_load_n(barrier, __ATOMIC_ACQUIRE)) >> 2 * MEET_BITS == round;)
        gl_os_futex_wait(barrier, now, NULL, false);
}

RT_EXPORT size_t __tsan_testonly_shadow_stack_current_size(void);
RT_EXPORT size_t __tsan_testonly_shadow_stack_current_size(void)
{
    return (size_t)(rt_tls.top - rt_tls.base);
}

/* ---- hints that need no action ---- */

RT_EXPORT void __tsan_flush_memory(void);
RT_EXPORT void __tsan_flush_memory(void) {} /* would forget accesses: races would be missed */

RT_EXPORT void __tsan_on_thread_idle(void);
RT_EXPORT void __tsan_on_thread_idle(void) {}
