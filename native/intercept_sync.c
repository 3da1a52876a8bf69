/* SPDX-License-Identifier: Apache-2.0
 *
 * Spin locks, barriers, semaphores, and initialization that runs once.
 *
 * Semaphores are exact: a wait is ordered after the posts before it and after no later one.  For that,
 * taking a token and recording it are one step under the object's lock, as are posting and recording.
 * A thread that finds no token waits outside that lock, on the semaphore's own futex word and counted
 * as a waiter in it, just as glibc's sem_wait does; so every post wakes it, whoever makes it.
 *
 * Semaphores and barriers that are shared between processes are left to the real functions: what
 * another process did cannot be recorded.  Their records are plain edges, merged: they may order too
 * much (a race may be missed), never too little.
 */
#include "native/intercept_libc.h"
#include "native/misuse.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <threads.h>
#include <time.h>

#include "platform/platform.h"

/* ---- spin locks ---- */

/* As glibc has it. */
static bool is_locked(const volatile pthread_spinlock_t *l)
{
#if defined(__x86_64__)
    return *l <= 0; /* 1 is free */
#else
    return *l != 0;
#endif
}

INTERCEPT(int, pthread_spin_init, (pthread_spinlock_t * l, int shared))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_object_made(t, (uintptr_t)l, pc));
    int r = REAL(pthread_spin_init)(l, shared);
    if (r == 0)
        RT_RECORD(t, rt_sync_create(t, (uintptr_t)l, RT_SPIN, pc));
    return r;
}

INTERCEPT(int, pthread_spin_destroy, (pthread_spinlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    if (gl_os_is_readable((uintptr_t)l, sizeof(pthread_spinlock_t)) && is_locked(l)) /* libc does not look at it */
        RT_RECORD(t, rt_misuse_lock(t, GL_REPORT_DESTROY_LOCKED, (uintptr_t)l, RT_SPIN, pc));
    else
        RT_RECORD(t, rt_object_ending(t, (uintptr_t)l, RT_SPIN, pc));
    int r = REAL(pthread_spin_destroy)(l);
    if (r == 0)
        RT_RECORD(t, rt_sync_destroy(t, (uintptr_t)l, RT_SPIN, pc));
    return r;
}

INTERCEPT(int, pthread_spin_lock, (pthread_spinlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    rt_lock_wanted((uintptr_t)l, RT_SPIN, true, false, pc);
    int r = REAL(pthread_spin_lock)(l);
    if (r == 0)
        RT_RECORD(t, rt_mutex_acquired(t, (uintptr_t)l, RT_SPIN, pc));
    return r;
}

INTERCEPT(int, pthread_spin_trylock, (pthread_spinlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(pthread_spin_trylock)(l);
    if (r == 0)
        RT_RECORD(t, rt_mutex_acquired(t, (uintptr_t)l, RT_SPIN, pc));
    return r;
}

INTERCEPT(int, pthread_spin_unlock, (pthread_spinlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, if (!rt_mutex_releasing(t, (uintptr_t)l, RT_SPIN, pc))
                     rt_misuse_lock(t, GL_REPORT_BAD_UNLOCK, (uintptr_t)l, RT_SPIN, pc));
    return REAL(pthread_spin_unlock)(l);
}

/* ---- barriers ---- */

CALLS(int, pthread_barrierattr_getpshared, (const pthread_barrierattr_t *restrict a, int *restrict to), (a, to), r == 0,
      WHOLE(to))

INTERCEPT(int, pthread_barrier_init,
          (pthread_barrier_t * b, const pthread_barrierattr_t *attr, unsigned count))
{
    uintptr_t pc = RT_CALLER();
    int shared = PTHREAD_PROCESS_PRIVATE;
    RT_RECORD(t, rt_object_made(t, (uintptr_t)b, pc));
    int r = REAL(pthread_barrier_init)(b, attr, count);
    if (r == 0 && attr)
        REAL(pthread_barrierattr_getpshared)(attr, &shared);
    if (r == 0 && shared == PTHREAD_PROCESS_PRIVATE)
        RT_RECORD(t, rt_barrier_create(t, (uintptr_t)b, count, pc));
    else if (r == 0) /* an older, private barrier at this address must not be taken for it */
        RT_RECORD(t, rt_sync_create(t, (uintptr_t)b, RT_USER, pc));
    return r;
}

INTERCEPT(int, pthread_barrier_destroy, (pthread_barrier_t * b))
{
    uintptr_t pc = RT_CALLER();
    /* Threads that are leaving ours keep it as long as they need it; in the real one nobody is. */
    RT_RECORD(t, rt_object_made(t, (uintptr_t)b, pc); rt_sync_destroy(t, (uintptr_t)b, RT_BARRIER, pc);
              rt_sync_destroy(t, (uintptr_t)b, RT_USER, pc));
    return REAL(pthread_barrier_destroy)(b);
}

INTERCEPT(int, pthread_barrier_wait, (pthread_barrier_t * b))
{
    uintptr_t pc = RT_CALLER();
    bool known = false;
    int r = 0;
    RT_RECORD(t, rt_object_used(t, (uintptr_t)b, pc); r = rt_barrier_wait(t, (uintptr_t)b, pc, &known);
              if (!known) rt_release(t, (uintptr_t)b, RT_USER, pc));
    if (RT_UNLIKELY(!rt_tls.self) && !rt_tls.depth && rt.up) /* a thread of libc's counts, too: the others wait in ours */
        RT_ALWAYS(r = rt_barrier_wait(NULL, (uintptr_t)b, pc, &known));
    if (known)
        return r;
    r = REAL(pthread_barrier_wait)(b);
    RT_RECORD(t, rt_acquire(t, (uintptr_t)b, RT_USER, pc));
    return r;
}

/* ---- semaphores ---- */

/* What glibc keeps in a sem_t on 64-bit machines.  It is shared between processes with different
 * versions of libc, so it cannot change. */
struct sem_words {
    uint64_t data; /* low half: the value, on which waiters sleep; high half: number of waiters */
    int shared;    /* 0: the semaphore of one process */
    int pad;
};
_Static_assert(sizeof(struct sem_words) <= sizeof(sem_t), "glibc's semaphore");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the value is the first word");

#define ONE_WAITER (1ull << 32)

static bool is_shared(sem_t *s) { return ((struct sem_words *)s)->shared != 0; }

static void stop_waiting(void *words)
{
    /* relaxed: as in glibc, only a post reads it, and a post that sees too many waiters wakes for nothing */
    __atomic_fetch_sub(&((struct sem_words *)words)->data, ONE_WAITER, __ATOMIC_RELAXED);
}

/* Sleeps while there is no token.  0: look again; otherwise the error. */
static int sleep_for_token(sem_t *s, const struct timespec *until, bool realtime)
{
    struct sem_words *words = (struct sem_words *)s;
    int type, r;
    /* relaxed: the kernel compares the word again when we are in its queue, and a post changes the
     * same 64 bits in one step: either it sees us as a waiter or the kernel sees its token */
    __atomic_fetch_add(&words->data, ONE_WAITER, __ATOMIC_RELAXED);
    pthread_cleanup_push(stop_waiting, words);
    /* A cancellation point, made as libc makes its own: we hold nothing here. */
    rt_real_canceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
    r = gl_os_futex_wait((uint32_t *)(void *)words, 0, until, realtime);
    rt_real_canceltype(type, NULL);
    pthread_cleanup_pop(1);
    return -r;
}

/* What the runtime is about to do with it, outside: if it cannot be written, the fault is the program's.  It counts down only what is above zero. */
static void touch(sem_t *s, bool always)
{
    uint64_t *data = &((struct sem_words *)s)->data, now = __atomic_load_n(data, __ATOMIC_RELAXED); /* relaxed, both: it says nothing */
    if (always || (uint32_t)now > 0)
        (void)__atomic_compare_exchange_n(data, &now, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); /* written whether equal or not */
}

enum taken { TOOK, NO_TOKEN, FAILED };

/* Takes a token and records it, as one step. */
static enum taken take_token(sem_t *s, int (*trywait)(sem_t *), uintptr_t pc)
{
    enum taken taken = FAILED;
    int saved = errno;
    struct rt_thread *t = rt_enter();
    struct rt_sync *object = t ? rt_sync_lock(t, (uintptr_t)s, RT_SEM, pc) : NULL;
    if (trywait(s) == 0)
        taken = TOOK;
    else if (errno == EAGAIN)
        taken = NO_TOKEN;
    if (object && taken == TOOK)
        rt_sync_acquire_locked(t, object);
    if (object)
        rt_sync_unlock(object);
    if (t)
        rt_leave();
    if (taken != FAILED)
        errno = saved;
    return taken;
}

static int wait_for_token(sem_t *s, int (*trywait)(sem_t *), const struct timespec *until, bool realtime,
                          uintptr_t pc)
{
    pthread_testcancel(); /* also when there is a token: POSIX wants it so */
    touch(s, false);
    for (;;) {
        enum taken taken = take_token(s, trywait, pc);
        if (taken != NO_TOKEN)
            return taken == TOOK ? 0 : -1;
        int error = until && until->tv_sec < 0 ? ETIMEDOUT : sleep_for_token(s, until, realtime);
        if (error) {
            errno = error;
            return -1;
        }
    }
}

INTERCEPT(sem_t *, sem_open, (const char *name, int flags, ...))
{
    uintptr_t pc = RT_CALLER();
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    unsigned value = flags & O_CREAT ? va_arg(ap, unsigned) : 0;
    va_end(ap);
    sem_t *r = REAL(sem_open)(name, flags, mode, value);
    int saved = errno;
    S(name);
    errno = saved;
    return r;
}

CALLS(int, sem_unlink, (const char *name), (name), true, S(name))

INTERCEPT(int, sem_trywait, (sem_t * s))
{
    uintptr_t pc = RT_CALLER();
    touch(s, false);
    enum taken taken = take_token(s, REAL(sem_trywait), pc);
    if (taken == NO_TOKEN)
        errno = EAGAIN;
    return taken == TOOK ? 0 : -1;
}

/* A shared one: the token is gone before the record, so a later post of this process may be in it too. */
#define SHARED_WAIT(call)                                                                                    \
    if (is_shared(s)) {                                                                                      \
        int r = call;                                                                                        \
        if (r == 0)                                                                                          \
            RT_RECORD(t, rt_acquire(t, (uintptr_t)s, RT_SEM, pc));                                           \
        return r;                                                                                            \
    }

INTERCEPT(int, sem_wait, (sem_t * s))
{
    uintptr_t pc = RT_CALLER();
    SHARED_WAIT(REAL(sem_wait)(s))
    return wait_for_token(s, REAL(sem_trywait), NULL, false, pc);
}

static bool bad_time(const struct timespec *d) { return d->tv_nsec < 0 || d->tv_nsec >= 1000000000; }

INTERCEPT(int, sem_timedwait, (sem_t *restrict s, const struct timespec *restrict d))
{
    uintptr_t pc = RT_CALLER();
    SHARED_WAIT(REAL(sem_timedwait)(s, d))
    if (bad_time(d)) {
        errno = EINVAL;
        return -1;
    }
    return wait_for_token(s, REAL(sem_trywait), d, true, pc);
}

INTERCEPT(int, sem_clockwait, (sem_t *restrict s, clockid_t clock, const struct timespec *restrict d))
{
    uintptr_t pc = RT_CALLER();
    SHARED_WAIT(REAL(sem_clockwait)(s, clock, d))
    if (bad_time(d) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)) {
        errno = EINVAL;
        return -1;
    }
    return wait_for_token(s, REAL(sem_trywait), d, clock == CLOCK_REALTIME, pc);
}

INTERCEPT(int, sem_post, (sem_t * s))
{
    uintptr_t pc = RT_CALLER();
    if (is_shared(s)) {
        RT_RECORD(t, rt_release(t, (uintptr_t)s, RT_SEM, pc));
        return REAL(sem_post)(s);
    }
    touch(s, true);
    struct rt_thread *t = rt_enter();
    if (!t)
        return REAL(sem_post)(s);
    struct rt_sync *object = rt_sync_lock(t, (uintptr_t)s, RT_SEM, pc);
    int r = REAL(sem_post)(s);
    if (r == 0)
        rt_sync_release_locked(t, object);
    rt_sync_unlock(object);
    rt_leave();
    return r;
}

/* A value above zero was posted by somebody: who reads it is ordered after that. */
INTERCEPT(int, sem_getvalue, (sem_t *restrict s, int *restrict value))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sem_getvalue)(s, value);
    RT_RECORD(t, rt_acquire(t, (uintptr_t)s, RT_SEM, pc); rt_write_range(t, value, sizeof *value, pc));
    return r;
}

INTERCEPT(int, sem_init, (sem_t * s, int shared, unsigned value))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sem_init)(s, shared, value);
    if (r == 0)
        RT_RECORD(t, rt_sync_create(t, (uintptr_t)s, RT_SEM, pc));
    return r;
}

INTERCEPT(int, sem_destroy, (sem_t * s))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(sem_destroy)(s);
    if (r == 0)
        RT_RECORD(t, rt_sync_destroy(t, (uintptr_t)s, RT_SEM, pc));
    return r;
}

/* sem_open, sem_close and sem_unlink order nothing. */

/* ---- once ---- */

/* libc calls the routine without an argument: the call under way is remembered here.  A routine may
 * itself call pthread_once, so run_once() takes it before the routine can replace it.  So may a handler of a signal, while its thread waits for another's
 * routine and may yet have to run its own: what it has replaced comes back. */
struct once_call {
    void (*routine)(void);
    uintptr_t control, pc;
};
static __thread struct once_call once_call __attribute__((tls_model("initial-exec")));

static void once_back(struct once_call *outer) { once_call = *outer; }

static void once_over(struct once_call *call)
{
    RT_RECORD(t, rt_release(t, call->control, RT_ONCE, call->pc));
}

/* A routine that ends by cancellation or exception has not run, but who runs it next comes after it. */
static void run_once(void)
{
    struct once_call call __attribute__((cleanup(once_over))) = once_call;
    RT_RECORD(t, rt_acquire(t, call.control, RT_ONCE, call.pc));
    call.routine();
}

INTERCEPT(int, pthread_once, (pthread_once_t * control, void (*routine)(void)))
{
    uintptr_t pc = RT_CALLER();
    struct once_call outer __attribute__((cleanup(once_back), unused)) = once_call;
    once_call = (struct once_call){routine, (uintptr_t)control, pc};
    int r = REAL(pthread_once)(control, run_once);
    if (r == 0)
        RT_RECORD(t, rt_acquire(t, (uintptr_t)control, RT_ONCE, pc));
    return r;
}

RT_ALIAS(__pthread_once, pthread_once);

INTERCEPT(void, call_once, (once_flag * flag, void (*routine)(void)))
{
    uintptr_t pc = RT_CALLER();
    struct once_call outer __attribute__((cleanup(once_back), unused)) = once_call;
    once_call = (struct once_call){routine, (uintptr_t)flag, pc};
    REAL(call_once)(flag, run_once);
    RT_RECORD(t, rt_acquire(t, (uintptr_t)flag, RT_ONCE, pc));
}
