/* SPDX-License-Identifier: Apache-2.0
 *
 * Several flows of control on one thread of the system.
 *
 * A *fiber* (ThreadSanitizer's interface) is a logical thread: its record moves in and out of the struct rt_tls of the
 * system's thread that runs it.  Pages stay owned by the system's thread, since owning is about who may run at the same
 * time (owner.h).
 */
#include "core/atomic.h"
#include "native/owner.h"

/* ---- fibers ---- */

enum { NO_SYNC = 1 }; /* a flag of __tsan_switch_to_fiber */

_Atomic bool rt_fibers_used;

/* tls: of the system's thread that ran it. */
static void leave(struct rt_thread *t, const struct rt_tls *tls)
{
    t->away.top = tls->top, t->away.limit = tls->limit, t->away.base = tls->base;
    t->away.ignore_accesses = tls->ignore_accesses;
    t->away.ignore_sync = tls->ignore_sync;
    gl_thread_set_key(t->core, &t->away.key);
}

static void arrive(struct rt_thread *t, uint32_t os_tid)
{
    rt_tls.top = t->away.top, rt_tls.limit = t->away.limit, rt_tls.base = t->away.base;
    rt_tls.ignore_accesses = t->away.ignore_accesses;
    rt_tls.ignore_sync = t->away.ignore_sync;
    rt_tls.self = t;
    rt_tls.engine = t->core;
    rt_tls.site_fast = t->caches->site_fast;
    rt_locks_changed();
    /* What the former one asked last. */
    __builtin_memset(rt_tls.told, 0, sizeof rt_tls.told);
    __builtin_memset(rt_tls.member, 0, sizeof rt_tls.member);
    __builtin_memset(rt_tls.scan, 0, sizeof rt_tls.scan);
    rt_show_key();
    t->os_tid = os_tid;
}

struct rt_thread *rt_thread_aside_with(struct rt_thread *t, uintptr_t pc, size_t frames)
{
    struct rt_thread *aside = rt_thread_create(t, NULL, NULL, true, pc);
    if (aside) {
        rt_frames_new(&aside->away, frames);
        aside->frames = aside->away.base, aside->frames_limit = aside->away.limit;
        gl_thread_set_key(aside->core, &aside->away.key);
    }
    return aside;
}

struct rt_thread *rt_thread_aside(struct rt_thread *t, uintptr_t pc) { return rt_thread_aside_with(t, pc, RT_FRAMES); }

/* The calling thread is at the limit of its frames. */
void rt_frames_grow(void)
{
    struct rt_thread *t = rt_tls.self;
    size_t n = (size_t)(rt_tls.limit - rt_tls.base) + 1, used = (size_t)(rt_tls.top - rt_tls.base);
    struct rt_away more, old = {.base = rt_tls.base, .limit = rt_tls.limit};
    rt_frames_new(&more, 4 * n);
    if (!more.limit)
        return; /* only the count of frames goes on */
    __builtin_memcpy(more.base, old.base, used * sizeof *more.base);
    rt_tls.base = t->frames = more.base;
    rt_tls.limit = t->frames_limit = more.limit;
    rt_tls.top = more.base + used;
    rt_frames_free(&old, n);
}

RT_EXPORT void *__tsan_get_current_fiber(void);
RT_EXPORT void *__tsan_get_current_fiber(void) { return rt_tls.self; }

/* It comes after what its creator did.  NULL: no memory, or called from a thread that is not known. */
RT_EXPORT void *__tsan_create_fiber(unsigned flags);
RT_EXPORT void *__tsan_create_fiber(unsigned flags)
{
    (void)flags; /* none are defined */
    struct rt_thread *t = rt_enter();
    if (!t)
        return NULL;
    gl_store_relaxed(&rt_fibers_used, true); /* relaxed: a thread that switches got the fiber in some ordered way */
    struct rt_thread *fiber = rt_thread_aside(t, RT_CALLER());
    rt_leave();
    return fiber;
}

/* Not the one that runs.  Who destroys it comes after all that it did: it has left it for good, and the caller knows. */
RT_EXPORT void __tsan_destroy_fiber(void *fiber);
RT_EXPORT void __tsan_destroy_fiber(void *fiber)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    if (fiber && fiber != t) {
        struct rt_thread *gone = fiber;
        rt_sync_destroy(t, (uintptr_t)fiber, RT_USER, 0);
        gone->detached = false; /* its end is waited for here */
        rt_thread_end_away(gone);
        rt_thread_joined(t, gone);
    }
    rt_leave();
}

/* Right before the program's own switch of stacks.  Without NO_SYNC all that the one did comes before what the other does
 * from here on. */
RT_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags);
RT_EXPORT void __tsan_switch_to_fiber(void *fiber, unsigned flags)
{
    struct rt_thread *from = rt_enter(), *to = fiber;
    if (!from)
        return;
    if (to && to != from) {
        if (!(flags & NO_SYNC))
            rt_release(from, (uintptr_t)to, RT_USER, 0);
        leave(from, &rt_tls);
        gl_spin_lock(&rt.registry); /* fork and the owners of pages find us as the one or the other */
        from->tls = NULL;
        to->tls = &rt_tls;
        gl_spin_unlock(&rt.registry);
        arrive(to, gl_os_tid());
        if (!(flags & NO_SYNC))
            rt_acquire(to, (uintptr_t)to, RT_USER, 0);
    }
    rt_leave();
}

RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name);
RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name)
{
    struct rt_thread *named = name ? fiber : NULL; /* NULL: no name, as for ThreadSanitizer */
    for (size_t i = 0; named && i + 1 < sizeof named->name && (i == 0 || named->name[i - 1]); i++)
        named->name[i] = name[i];
}

/* ---- threads that libc begins ---- */

bool rt_thread_step_in(struct rt_thread *aside, uintptr_t pthread)
{
    gl_spin_lock(&rt.registry);
    bool free = !rt_tls.self && !aside->tls && !aside->finished && !aside->away.ends;
    if (free)
        aside->tls = &rt_tls;
    gl_spin_unlock(&rt.registry);
    if (free) {
        if (rt_tls.counted) /* libc freed a block of its own before it called */
            gl_add_relaxed(&rt.counters[RT_COUNT_unknown_thread], (uint64_t)-1); /* relaxed: a statistic */
        rt_tls.counted = true;                                                  /* and frees another after it */
        rt_tls.tag = RT_NO_TAG;
        arrive(aside, gl_os_tid());
        rt_thread_stack(aside, pthread); /* that of a thread that has ended, mostly */
    }
    return free;
}

/* Nobody comes after its end, and nobody names it any more. */
static void end_alone(struct rt_thread *aside)
{
    rt_all_ending(aside, true);
    aside->joined = true; /* by nobody, who would come after it */
    rt_thread_end_away(aside);
}

void rt_thread_step_out(struct rt_thread *aside)
{
    leave(aside, &rt_tls);
    aside->stack_lo = aside->stack_hi = aside->tls_lo = aside->tls_hi = 0; /* are another's from now on */
    rt_tls.self = NULL;
    rt_tls.key = 0;
    rt_tls.base = rt_tls.top = rt_tls.limit = NULL;
    rt_owner_end();
    gl_spin_lock(&rt.registry);
    bool ends = aside->away.ends;
    if (!ends) /* else we are inside as this one until its record has ended: a fork and a sweep wait for us */
        aside->tls = NULL;
    gl_spin_unlock(&rt.registry);
    if (ends)
        end_alone(aside);
}

void rt_thread_aside_end(struct rt_thread *aside)
{
    gl_spin_lock(&rt.registry);
    bool now = !aside->tls && !aside->away.ends;
    aside->away.ends = true;
    gl_spin_unlock(&rt.registry);
    if (now)
        end_alone(aside);
}

/* ---- goroutines ---- */

void rt_thread_run_as(struct rt_thread *to, struct rt_thread *home)
{
    gl_spin_lock(&rt.registry); /* also what another thread does to our rt_tls.self here */
    struct rt_thread *from = rt_tls.self;
    if (from && from != to)
        leave(from, &rt_tls);
    if (from && from != to && from != home)
        from->tls = NULL, from->caches = NULL;
    if (to != from && to != home) {
        if (to->tls) { /* it ran there before, and that thread has not yet run another */
            leave(to, to->tls);
            to->tls->self = NULL;
        }
        to->tls = &rt_tls;
        to->caches = home->caches;
    }
    gl_spin_unlock(&rt.registry);
    if (to != from)
        arrive(to, home->os_tid);
}
