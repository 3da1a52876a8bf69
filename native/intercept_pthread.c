/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks: mutexes, reader-writer locks, and the waits of condition variables, as pthreads and as C11
 * threads.  C11's functions call libc's own pthread code directly, not through names we could stand in
 * front of, so they have interceptors of their own.
 *
 * A signal or broadcast orders nothing; the mutex of the wait does.  So condition variables have no record of their own: they are
 * intercepted for what happens to the mutex, and since they may be destroyed while others use them.
 */
#include "native/intercept_libc.h"
#include "native/misuse.h"
#include "native/sync_find.h"

#include <limits.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

/* `record` when `got` holds of the result r. */
#define ACQUIRES(name, params, args, got, record)                                                            \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int r = REAL(name) args;                                                                             \
        if (got)                                                                                             \
            RT_RECORD(t, record);                                                                            \
        return r;                                                                                            \
    }

/* The same, and `before` the call: of one that waits for as long as it takes, what it wants. */
#define AROUND(name, params, args, before, got, record)                                                      \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        before;                                                                                              \
        int r = REAL(name) args;                                                                             \
        if (got)                                                                                             \
            RT_RECORD(t, record);                                                                            \
        return r;                                                                                            \
    }

/* ---- mutexes ---- */

/* EOWNERDEAD: the lock is ours, its last owner died with it. */
#define MUTEX_GOT               (r == 0 || r == EOWNERDEAD)
#define MUTEX_RECORD            mutex_acquired(t, (const pthread_mutex_t *)m, pc)
#define CREATED(kind, object)   rt_sync_create(t, (uintptr_t)(object), kind, pc)
#define DESTROYED(kind, object) rt_sync_destroy(t, (uintptr_t)(object), kind, pc)

#define ENDING(kind, object)    RT_RECORD(t, rt_object_ending(t, (uintptr_t)(object), kind, pc))

/* A write of the object, before what it makes is recorded. */
#define INITS(name, params, args, object, made, record)                                                      \
    AROUND(name, params, args, RT_RECORD(t, rt_object_made(t, (uintptr_t)(object), pc)), made, record)

typedef const struct timespec *deadline;

static int kind_of(const pthread_mutex_t *m)
{
    return m->__data.__kind & 3;
}

enum { ROBUST = 16, PRIO_INHERIT = 32, PRIO_PROTECT = 64 }; /* in glibc's kind, beside what kind_of() gives */

static void mutex_acquired(struct rt_thread *t, const pthread_mutex_t *m, uintptr_t pc)
{
    rt_mutex_acquired(t, (uintptr_t)m, RT_MUTEX, pc);
    if (RT_UNLIKELY(m->__data.__kind & ROBUST))
        rt_mutex_robust(t, (uintptr_t)m);
}

/* May the calling thread take it now, for all that it holds?  libc says who the owner is: it may have changed unseen. */
static bool may_lock(const pthread_mutex_t *m)
{
    int kind = kind_of(m);
    return (kind != PTHREAD_MUTEX_TIMED_NP && kind != PTHREAD_MUTEX_ADAPTIVE_NP) || !rt_tls.self ||
           (uint32_t)m->__data.__owner != rt_tls.self->os_tid;
}

/* glibc refuses a mutex that was destroyed; one with a priority ceiling also when the thread's priority is above that. */
#define INVALID(t, r, m)                                                                                     \
    if (RT_UNLIKELY((r) == EINVAL && ((m)->__data.__kind == -1 || !((m)->__data.__kind & PRIO_PROTECT))))    \
        rt_misuse_lock(t, GL_REPORT_INVALID_MUTEX, (uintptr_t)(m), RT_MUTEX, pc)

#define MUTEX_WANTED rt_lock_wanted((uintptr_t)m, RT_MUTEX, true, may_lock((pthread_mutex_t *)m), pc)

INITS(pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *a), (m, a), m, r == 0, CREATED(RT_MUTEX, m))
AROUND(pthread_mutex_destroy, (pthread_mutex_t * m), (m), if (m->__data.__lock == 0) ENDING(RT_MUTEX, m), r == 0 || r == EBUSY,
          if (r == 0) DESTROYED(RT_MUTEX, m);
          else rt_misuse_lock(t, GL_REPORT_DESTROY_LOCKED, (uintptr_t)m, RT_MUTEX, pc))
AROUND(pthread_mutex_lock, (pthread_mutex_t * m), (m), MUTEX_WANTED, MUTEX_GOT || r == EINVAL,
          if (MUTEX_GOT) MUTEX_RECORD; else INVALID(t, r, m))
ACQUIRES(pthread_mutex_trylock, (pthread_mutex_t * m), (m), MUTEX_GOT || r == EINVAL,
         if (MUTEX_GOT) MUTEX_RECORD; else INVALID(t, r, m))
ACQUIRES(pthread_mutex_timedlock, (pthread_mutex_t * m, deadline d), (m, d), MUTEX_GOT, MUTEX_RECORD)
ACQUIRES(pthread_mutex_clocklock, (pthread_mutex_t * m, clockid_t c, deadline d), (m, c, d), MUTEX_GOT,
         MUTEX_RECORD)
/* The kinds that refuse an unlock by a thread that does not hold the mutex (with priority inheritance: the kernel does): then
 * nothing is released.  The others go on with it (undefined, yet used as a signal), so it counts. */
static bool refuses(const pthread_mutex_t *m)
{
    int kind = kind_of(m);
    return kind == PTHREAD_MUTEX_RECURSIVE_NP || kind == PTHREAD_MUTEX_ERRORCHECK_NP ||
           (m->__data.__kind & (ROBUST | PRIO_INHERIT));
}

/* By t, which does not hold the mutex as far as we saw.  libc knows better: it may have been taken unseen.  A mutex that checks
 * for errors was asked to refuse, so that is no mistake. */
static void check_unlock(struct rt_thread *t, const pthread_mutex_t *m, uintptr_t pc)
{
    if (m->__data.__kind == -1)
        rt_misuse_lock(t, GL_REPORT_INVALID_MUTEX, (uintptr_t)m, RT_MUTEX, pc);
    else if ((uint32_t)m->__data.__owner != t->os_tid && kind_of(m) != PTHREAD_MUTEX_ERRORCHECK_NP)
        rt_misuse_lock(t, GL_REPORT_BAD_UNLOCK, (uintptr_t)m, RT_MUTEX, pc);
}

static void unlocking(struct rt_thread *t, const pthread_mutex_t *m, uintptr_t pc)
{
    bool held = refuses(m) && !rt_mutex_is_held(t, (uintptr_t)m) ? false : rt_mutex_releasing(t, (uintptr_t)m, RT_MUTEX, pc);
    if (RT_UNLIKELY(!held))
        check_unlock(t, m, pc);
}

/* Outside of the runtime, which looks at it: if it cannot be read, the fault is the program's. */
static void touch(const pthread_mutex_t *m) { (void)*(const volatile int *)&m->__data.__kind; }

INTERCEPT(int, pthread_mutex_unlock, (pthread_mutex_t * m))
{
    uintptr_t pc = RT_CALLER();
    touch(m);
    RT_RECORD(t, unlocking(t, m, pc));
    return REAL(pthread_mutex_unlock)(m);
}

/* glibc's older names for the same, which old binaries and some libraries use. */
RT_ALIAS(__pthread_mutex_init, pthread_mutex_init);
RT_ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy);
RT_ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
RT_ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
RT_ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);

#define C11_GOT (r == thrd_success)

INITS(mtx_init, (mtx_t * m, int type), (m, type), m, C11_GOT, CREATED(RT_MUTEX, m))
AROUND(mtx_lock, (mtx_t * m), (m), MUTEX_WANTED, C11_GOT, MUTEX_RECORD)
ACQUIRES(mtx_trylock, (mtx_t * m), (m), C11_GOT, MUTEX_RECORD)
ACQUIRES(mtx_timedlock, (mtx_t *restrict m, const struct timespec *restrict d), (m, d), C11_GOT, MUTEX_RECORD)

INTERCEPT(int, mtx_unlock, (mtx_t * m))
{
    uintptr_t pc = RT_CALLER();
    touch((pthread_mutex_t *)m);
    RT_RECORD(t, unlocking(t, (pthread_mutex_t *)m, pc));
    return REAL(mtx_unlock)(m);
}

INTERCEPT(void, mtx_destroy, (mtx_t * m))
{
    uintptr_t pc = RT_CALLER();
    bool locked = ((pthread_mutex_t *)m)->__data.__nusers != 0;
    if (locked)
        RT_RECORD(t, rt_misuse_lock(t, GL_REPORT_DESTROY_LOCKED, (uintptr_t)m, RT_MUTEX, pc));
    else
        ENDING(RT_MUTEX, m);
    REAL(mtx_destroy)(m);
    RT_RECORD(t, DESTROYED(RT_MUTEX, m));
}

/* ---- reader-writer locks ---- */

#define READ_RECORD  rt_rwlock_read_acquired(t, (uintptr_t)l, pc)
#define WRITE_RECORD rt_rwlock_write_acquired(t, (uintptr_t)l, pc)

INITS(pthread_rwlock_init, (pthread_rwlock_t * l, const pthread_rwlockattr_t *a), (l, a), l, r == 0, CREATED(RT_RWLOCK, l))
/* libc destroys one that is held without a word, and one whose memory is gone. */
static void check_rwlock_destroy(struct rt_thread *t, const pthread_rwlock_t *l, uintptr_t pc)
{
    if (gl_os_is_readable((uintptr_t)l, sizeof *l) && (l->__data.__cur_writer != 0 || l->__data.__readers >> 3 != 0))
        rt_misuse_lock(t, GL_REPORT_DESTROY_LOCKED, (uintptr_t)l, RT_RWLOCK, pc);
    else
        rt_object_ending(t, (uintptr_t)l, RT_RWLOCK, pc);
}

INTERCEPT(int, pthread_rwlock_destroy, (pthread_rwlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, check_rwlock_destroy(t, l, pc));
    int r = REAL(pthread_rwlock_destroy)(l);
    if (r == 0)
        RT_RECORD(t, DESTROYED(RT_RWLOCK, l));
    return r;
}

/* As may_lock(): another thread may have unlocked it for this one, which Linux lets pass. */
static bool may_rwlock(const pthread_rwlock_t *l, bool exclusive)
{
    bool mine = rt_tls.self && (uint32_t)l->__data.__cur_writer == rt_tls.self->os_tid;
    return !mine && (!exclusive || l->__data.__readers >> 3 == 0);
}

#define RWLOCK_WANTED(exclusive) rt_lock_wanted((uintptr_t)l, RT_RWLOCK, exclusive, may_rwlock(l, exclusive), pc)

AROUND(pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l), RWLOCK_WANTED(false), r == 0, READ_RECORD)
ACQUIRES(pthread_rwlock_tryrdlock, (pthread_rwlock_t * l), (l), r == 0, READ_RECORD)
ACQUIRES(pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, deadline d), (l, d), r == 0, READ_RECORD)
ACQUIRES(pthread_rwlock_clockrdlock, (pthread_rwlock_t * l, clockid_t c, deadline d), (l, c, d), r == 0,
         READ_RECORD)
AROUND(pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l), RWLOCK_WANTED(true), r == 0, WRITE_RECORD)
ACQUIRES(pthread_rwlock_trywrlock, (pthread_rwlock_t * l), (l), r == 0, WRITE_RECORD)
ACQUIRES(pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, deadline d), (l, d), r == 0, WRITE_RECORD)
ACQUIRES(pthread_rwlock_clockwrlock, (pthread_rwlock_t * l, clockid_t c, deadline d), (l, c, d), r == 0,
         WRITE_RECORD)

/* Nobody holds it, or another writes: libc's own word for it, unless we saw that this thread took it (in the child of a fork
 * the writer has another number than libc noted). */
static void check_rwlock_unlock(struct rt_thread *t, const pthread_rwlock_t *l, uintptr_t pc)
{
    uint32_t writer = (uint32_t)l->__data.__cur_writer;
    bool exclusive;
    if ((writer ? writer != t->os_tid : l->__data.__readers >> 3 == 0) && !rt_lock_is_held(t, (uintptr_t)l, RT_RWLOCK, &exclusive))
        rt_misuse_lock(t, GL_REPORT_BAD_UNLOCK, (uintptr_t)l, RT_RWLOCK, pc);
}

INTERCEPT(int, pthread_rwlock_unlock, (pthread_rwlock_t * l))
{
    uintptr_t pc = RT_CALLER();
    (void)*(const volatile int *)&l->__data.__cur_writer; /* outside, as touch() */
    RT_RECORD(t, check_rwlock_unlock(t, l, pc); rt_rwlock_releasing(t, (uintptr_t)l, pc));
    return REAL(pthread_rwlock_unlock)(l);
}

RT_ALIAS(__pthread_rwlock_init, pthread_rwlock_init);
RT_ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy);
RT_ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
RT_ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
RT_ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
RT_ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
RT_ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);

/* ---- condition variables ---- */

#define USES(name, params, args) AROUND(name, params, args, RT_RECORD(t, rt_object_used(t, (uintptr_t)c, pc)), false, (void)t)
#define CHANGES(name, params, args) AROUND(name, params, args, RT_RECORD(t, rt_object_made(t, (uintptr_t)c, pc)), false, (void)t)

CHANGES(pthread_cond_init, (pthread_cond_t * c, const pthread_condattr_t *a), (c, a))
CHANGES(pthread_cond_destroy, (pthread_cond_t * c), (c))
USES(pthread_cond_signal, (pthread_cond_t * c), (c))
USES(pthread_cond_broadcast, (pthread_cond_t * c), (c))
CHANGES(cnd_init, (cnd_t * c), (c))
USES(cnd_signal, (cnd_t * c), (c))
USES(cnd_broadcast, (cnd_t * c), (c))

INTERCEPT(void, cnd_destroy, (cnd_t * c))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_object_made(t, (uintptr_t)c, pc));
    REAL(cnd_destroy)(c);
}

struct wait {
    uintptr_t cond, mutex, pc;
    uint32_t depth; /* how often this thread held the mutex */
    bool recorded;
};

static bool is_owner(const struct rt_thread *t, const pthread_mutex_t *m)
{
    return (uint32_t)m->__data.__owner == t->os_tid;
}

/* A wait unlocks its mutex, so that one that the thread does not hold is a mistake as it is there; some kinds refuse that, and nothing happens. */
static void give_up(struct rt_thread *t, struct wait *w)
{
    const pthread_mutex_t *m = (const pthread_mutex_t *)w->mutex;
    bool refused = refuses(m) && !rt_mutex_is_held(t, w->mutex) && !is_owner(t, m);
    rt_object_used(t, w->cond, w->pc);
    if (!refused)
        w->depth = rt_mutex_wait_begin(t, w->mutex, w->pc);
    w->recorded = !refused;
    if (RT_UNLIKELY(!w->depth) && !rt_sync_unseen(w->pc))
        check_unlock(t, m, w->pc);
}

static void wait_begin(struct wait *w)
{
    touch((const pthread_mutex_t *)w->mutex);
    RT_RECORD(t, give_up(t, w));
    if (w->recorded)
        rt_lock_wanted(w->mutex, RT_MUTEX, true, false, w->pc); /* it comes back while others are held */
}

/* Its last owner ended with it, and who had it next gave it up as it was: it is nobody's any more (ENOTRECOVERABLE). */
static bool is_lost(const pthread_mutex_t *m)
{
    enum { NOT_RECOVERABLE = INT_MAX - 1 }; /* glibc's PTHREAD_MUTEX_NOTRECOVERABLE, in the owner's place */
    return (m->__data.__kind & ROBUST) && m->__data.__owner == NOT_RECOVERABLE;
}

static void take_back(struct rt_thread *t, struct wait *w)
{
    if (RT_UNLIKELY(is_lost((const pthread_mutex_t *)w->mutex)))
        return;
    if (!w->depth && is_owner(t, (const pthread_mutex_t *)w->mutex))
        w->depth = 1; /* taken unseen, or not at all before the wait */
    rt_mutex_wait_end(t, w->mutex, w->depth, w->pc);
}

static void wait_end(void *wait)
{
    struct wait *w = wait;
    if (w->recorded)
        RT_RECORD(t, take_back(t, w));
}

/* The mutex comes back on every way out, unless it is lost: success, timeout, error (it was never given away then, and
 * giving it up and taking it again in one step orders nothing), and cancellation: libc's own cleanup
 * handler takes the mutex, then ours runs. */
#define WAITS(name, params, args)                                                                            \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        struct wait w = {.cond = (uintptr_t)c, .mutex = (uintptr_t)m, .pc = RT_CALLER()};                    \
        int r;                                                                                               \
        wait_begin(&w);                                                                                      \
        pthread_cleanup_push(wait_end, &w);                                                                  \
        r = REAL(name) args;                                                                                 \
        pthread_cleanup_pop(1);                                                                              \
        return r;                                                                                            \
    }

WAITS(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
WAITS(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t *m, deadline d), (c, m, d))
WAITS(pthread_cond_clockwait, (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock, deadline d),
      (c, m, clock, d))
WAITS(cnd_wait, (cnd_t * c, mtx_t *m), (c, m))
WAITS(cnd_timedwait, (cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict d), (c, m, d))
