/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads: creation, join, detach, names, and the end of a thread, as pthreads and as C11 threads.
 *
 * A thread ends for us when its destructors have run: C++ thread_local objects and the destructors of
 * thread-specific data are code of the program and are still checked.  So the end hangs on a key of
 * our own whose destructor arms itself again until the last round that POSIX allows.  It runs whatever
 * ends the thread: a return, pthread_exit or cancellation.
 */
#include "native/intercept_libc.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "native/fatal.h"
#include "native/near.h"
#include "native/record.h"
#include "platform/linux/syscall.h"
#include "platform/platform.h"

/* ---- signals ---- */

/* The signals of libc itself (cancellation, setuid in all threads) are not blocked: who sends them waits for an answer. */
enum { LIBC_SIGNALS = 2, FIRST_LIBC_SIGNAL = 32 };
static const uint64_t libc_signals = ((1ull << LIBC_SIGNALS) - 1) << (FIRST_LIBC_SIGNAL - 1);

/* Also leaves faults alone, which end the process where they are blocked.  Returns what was blocked before. */
static uint64_t block_signals(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    uint64_t most = ~libc_signals, was = 0;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        most &= ~(1ull << (faults[i] - 1));
    gl_syscall4(SYS_rt_sigprocmask, SIG_BLOCK, &most, &was, sizeof was);
    return was;
}

static void set_signals(uint64_t blocked) { gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &blocked, NULL, sizeof blocked); }

/* ---- the end ---- */

static struct {
    bool made; /* by a constructor, then constant */
    pthread_key_t key;
    const volatile unsigned *left; /* how many threads libc has, or NULL */
} end_of_thread;

static __thread uint64_t blocked_before_end;

/* When its last thread ends libc ends the process, with that thread, whose exit handlers are code of the program.  Those that end at the same time are out
 * of it in a moment; one that is not known, as of a timer, may stay. */
static bool is_last(void)
{
    enum { WAIT_MS = 300 };
    if (!end_of_thread.left || !rt_thread_leaves())
        return false;
    unsigned ours = 1 + rt_record_has_thread();
    for (int i = 0; *end_of_thread.left > ours && i < WAIT_MS; i++)
        gl_os_sleep_ms(1);
    if (*end_of_thread.left == ours && ours > 1)
        exit(0); /* as libc would now, but for the thread that writes the recording, and has no files of the program's */
    return *end_of_thread.left == 1;
}

static void end_round(void *round)
{
    uintptr_t n = (uintptr_t)round;
    if (n < PTHREAD_DESTRUCTOR_ITERATIONS) {
        pthread_setspecific(end_of_thread.key, (void *)(n + 1));
    } else if (!is_last()) {
        blocked_before_end = block_signals(); /* for good: nobody would see what a handler does from here on */
        rt_thread_end();
    }
}

void rt_thread_exits(void)
{
    if (rt_tls.ended)
        set_signals(blocked_before_end);
}

/* The calling thread will end by end_round().  false: the program has used up all keys. */
static bool arm_end(void)
{
    rt_enter_always(); /* libc may allocate room for the key: not the program's memory */
    bool armed = end_of_thread.made && pthread_setspecific(end_of_thread.key, (void *)1) == 0;
    rt_leave();
    return armed;
}

/* libc goes through the keys by number in each round of destructors: the end is to come behind the program's.  The last key whose values need no memory
 * of their own, unless others have it. */
static void make_end_key(void)
{
    enum { WITHOUT_MEMORY = 32 }; /* glibc's PTHREAD_KEY_2NDLEVEL_SIZE */
    pthread_key_t key[WITHOUT_MEMORY];
    unsigned n = 0;
    while (n < WITHOUT_MEMORY && pthread_key_create(&key[n], end_round) == 0 && key[n++] < WITHOUT_MEMORY - 1) {
    }
    end_of_thread.made = n > 0;
    if (n)
        end_of_thread.key = key[--n];
    while (n)
        pthread_key_delete(key[--n]);
}

/* The main thread, which nobody created.  It ends before the process when it calls pthread_exit. */
__attribute__((constructor(102))) static void know_main_thread(void)
{
    uintptr_t self = (uintptr_t)pthread_self();
    RT_RECORD(t, rt_thread_created(t, &self));
    rt_fatal_begin();
    make_end_key();
    end_of_thread.left = rt_libc_private("__nptl_nthreads");
    arm_end();
    RT_RECORD(t, rt_record_start(); rt_modules_look(); (void)t);
    rt_finalize_find();
    __tsan_on_initialize();
}

/* ---- creation ---- */

/* Whether the program has said what threads without attributes are like. */
static bool has_defaults;

INTERCEPT(int, pthread_setattr_default_np, (const pthread_attr_t *attr))
{
    int r = REAL(pthread_setattr_default_np)(attr);
    if (r == 0)
        __atomic_store_n(&has_defaults, true, __ATOMIC_RELAXED); /* relaxed: libc's lock comes before the next question */
    return r;
}

void rt_threads_default_stack(void)
{
    pthread_attr_t attr;
    if (pthread_attr_init(&attr) != 0)
        return; /* threads get larger stacks than they would */
    if (pthread_attr_setstacksize(&attr, 2 << 20) == 0)
        REAL(pthread_setattr_default_np)(&attr);
    pthread_attr_destroy(&attr);
}

static void end_without_key(void *armed)
{
    if (!*(bool *)armed)
        rt_thread_end(); /* what the destructors still do is not checked */
}

/* Signals are blocked until the thread is known: nobody would see what a handler does before. */
static void *thread_start(void *child)
{
    struct rt_thread *t = child;
    bool armed = arm_end();
    void *result;
    pthread_cleanup_push(end_without_key, &armed);
    rt_thread_begin(t, (uintptr_t)pthread_self());
    set_signals(t->signals);
    result = t->start(t->arg);
    pthread_cleanup_pop(1);
    return result;
}

CALLS(int, pthread_attr_getdetachstate, (const pthread_attr_t *a, int *to), (a, to), r == 0, WHOLE(to))

static int create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg, uintptr_t pc);

INTERCEPT(int, pthread_create,
          (pthread_t * id, const pthread_attr_t *attr, void *(*start)(void *), void *arg))
{
    return create(id, attr, start, arg, RT_CALLER());
}

/* What a thread is to be like. */
struct wanted {
    bool detached, own_signals;
    sigset_t signals; /* if own_signals: the thread's, which libc sets before thread_start(); else its maker's */
};

static struct wanted wanted_by(const pthread_attr_t *attr)
{
    pthread_attr_t defaults;
    struct wanted w = {0};
    int state = PTHREAD_CREATE_JOINABLE;
    /* relaxed: who creates a thread while another sets the defaults gets either */
    bool asked = !attr && __atomic_load_n(&has_defaults, __ATOMIC_RELAXED) && pthread_getattr_default_np(&defaults) == 0;
    const pthread_attr_t *from = asked ? &defaults : attr;
    if (from) {
        REAL(pthread_attr_getdetachstate)(from, &state);
        w.own_signals = pthread_attr_getsigmask_np(from, &w.signals) == 0;
    }
    if (asked)
        pthread_attr_destroy(&defaults);
    w.detached = state == PTHREAD_CREATE_DETACHED;
    return w;
}

/* libc writes *id before the thread runs, whatever POSIX promises. */
static int create(pthread_t *id, const pthread_attr_t *attr, void *(*start)(void *), void *arg, uintptr_t pc)
{
    struct wanted w = wanted_by(attr);
    struct rt_thread *child = NULL;
    RT_RECORD(t, rt_write_range(t, id, sizeof *id, pc); child = rt_thread_create(t, start, arg, w.detached, pc));
    if (!child)
        return REAL(pthread_create)(id, attr, start, arg);
    uint64_t blocked = block_signals(); /* by then the child's record may be gone */
    child->signals = blocked & ~libc_signals; /* as libc has it: its own are blocked while a handler of cancellation runs, for example */
    if (w.own_signals)
        __builtin_memcpy(&child->signals, &w.signals, sizeof child->signals);
    int r = REAL(pthread_create)(id, attr, thread_start, child);
    set_signals(blocked);
    if (r == 0)
        RT_RECORD(t, rt_thread_created(child, id); rt_thread_unwanted(child)); /* it may be joined before it ran */
    else
        RT_RECORD(t, rt_thread_create_failed(t, child));
    return r;
}

/* The int that a C11 thread returns comes back in the same register as the pointer of a pthread, and
 * thrd_join looks at its low half only. */
INTERCEPT(int, thrd_create, (thrd_t * id, thrd_start_t start, void *arg))
{
    int r = create(id, NULL, (void *(*)(void *))(void (*)(void))start, arg, RT_CALLER());
    return r == 0 ? thrd_success : r == ENOMEM ? thrd_nomem : thrd_error;
}

/* ---- a thread of our own ---- */

bool rt_can_record(void) { return true; }

bool rt_real_thread(void *(*run)(void *))
{
    uint64_t most = ~libc_signals, was = 0;
    pthread_t id;
    pthread_attr_t attr;
    rt_enter_always(); /* what libc allocates is not the program's memory */
    gl_syscall4(SYS_rt_sigprocmask, SIG_BLOCK, &most, &was, sizeof was);
    bool made = pthread_attr_init(&attr) == 0;
    if (made) {
        made = pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0 &&
               REAL(pthread_create)(&id, &attr, run, NULL) == 0;
        pthread_attr_destroy(&attr);
    }
    gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &was, NULL, sizeof was);
    rt_leave();
    return made;
}

/* ---- cancellation ---- */

INTERCEPT(int, pthread_setcanceltype, (int type, int *old))
{
    uintptr_t pc = RT_CALLER();
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS) {
        struct rt_thread *t = rt_enter();
        rt_near_end();
        if (t)
            rt_leave();
        rt_async_cancel(true); /* from the real call on it may end anywhere */
    }
    int r = REAL(pthread_setcanceltype)(type, old);
    if (r == 0 && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        rt_async_cancel(false);
    if (r == 0)
        WHOLE(old);
    return r;
}

void rt_real_canceltype(int type, int *old)
{
    REAL(pthread_setcanceltype)(type, old);
}

/* The type, not the state: a cancellation signal that is on its way already looks at the type only (glibc 2.36). */
void rt_cancel_hold(void)
{
    rt_real_canceltype(PTHREAD_CANCEL_DEFERRED, NULL);
}

void rt_cancel_release(void)
{
    rt_real_canceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}

/* ---- join and detach ---- */

/* The record is looked up before the real call: after it the id may be another thread's. */
static struct rt_thread *find(pthread_t id)
{
    struct rt_thread *child = NULL;
    RT_RECORD(t, child = rt_thread_wait_begin((uintptr_t)id));
    return child;
}

static void waited(struct rt_thread *child, bool joined, const void *result, size_t n, uintptr_t pc)
{
    RT_RECORD(t, if (child && joined) rt_thread_joined(t, child); if (child) rt_thread_wait_end(child);
              if (joined && result) rt_write_range(t, result, n, pc));
}

/* The wait is cancelled: another may come. */
static void wait_left(void *child)
{
    waited(child, false, NULL, 0, 0);
}

#define JOINS(name, params, args, got)                                                                       \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        struct rt_thread *child = find(id);                                                                  \
        int r;                                                                                               \
        pthread_cleanup_push(wait_left, child);                                                              \
        r = REAL(name) args;                                                                                 \
        pthread_cleanup_pop(0);                                                                              \
        waited(child, r == got, result, sizeof *result, pc);                                                 \
        return r;                                                                                            \
    }

JOINS(pthread_join, (pthread_t id, void **result), (id, result), 0)
JOINS(pthread_tryjoin_np, (pthread_t id, void **result), (id, result), 0)
JOINS(pthread_timedjoin_np, (pthread_t id, void **result, const struct timespec *d), (id, result, d), 0)
JOINS(pthread_clockjoin_np, (pthread_t id, void **result, clockid_t c, const struct timespec *d),
      (id, result, c, d), 0)
JOINS(thrd_join, (thrd_t id, int *result), (id, result), thrd_success)

#define DETACHES(name, type, got)                                                                            \
    INTERCEPT(int, name, (type id))                                                                          \
    {                                                                                                        \
        struct rt_thread *child = NULL;                                                                      \
        uint64_t waits_over = 0;                                                                             \
        RT_RECORD(t, child = rt_thread_detach_begin((uintptr_t)id, &waits_over));                            \
        int r = REAL(name)(id);                                                                              \
        if (child)                                                                                           \
            RT_RECORD(t, rt_thread_detach_end(child, r == got, waits_over));                                 \
        return r;                                                                                            \
    }

DETACHES(pthread_detach, pthread_t, 0)
DETACHES(thrd_detach, thrd_t, thrd_success)

/* ---- our place among the libraries ---- */

/* What the program's calls reach is the first library that defines the function; what is found behind us comes after us. */
bool rt_comes_first(void)
{
    int (*volatile reached)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
    void *behind = rt_real_find("pthread_create");
    return behind && (void *)reached != behind;
}

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

bool rt_is_second(void)
{
    int (*volatile reached)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
    return (uintptr_t)reached < (uintptr_t)__ehdr_start || (uintptr_t)reached >= (uintptr_t)_end;
}

/* ---- names ---- */

INTERCEPT(int, pthread_setname_np, (pthread_t id, const char *name))
{
    int r = REAL(pthread_setname_np)(id, name);
    if (r != 0)
        return r; /* too long, or no such thread */
    char copy[sizeof((struct rt_thread *)0)->name] = {0};
    for (size_t i = 0; i + 1 < sizeof copy && name[i]; i++)
        copy[i] = name[i];
    RT_RECORD(
        t, struct rt_thread *named = pthread_equal(id, pthread_self()) ? t : rt_thread_find((uintptr_t)id);
        if (named) {
            /* A report that is being printed may show a mix of the two names. */
            for (size_t i = 0; i < sizeof copy; i++)
                named->name[i] = copy[i];
        });
    return r;
}
