/* SPDX-License-Identifier: Apache-2.0
 *
 * Several flows of control on one thread of the system.
 *
 * A *fiber* (ThreadSanitizer's interface) is a logical thread: its record moves in and out of the struct rt_tls of the
 * system's thread that runs it.  Pages stay owned by the system's thread, since owning is about who may run at the same
 * time (owner.h).
 *
 * A *context* of <ucontext.h> in a program that does not use that interface is no thread: what it does is ordered as the
 * system's thread that runs it orders it.  Only its shadow call stack is its own.
 */
#include "core/atomic.h"
#include "native/owner.h"

/* ---- fibers ---- */

enum { NO_SYNC = 1 }; /* a flag of __tsan_switch_to_fiber */

static _Atomic bool
    fibers_used; /* then the program says when it switches, and contexts are its own business */

static void leave(struct rt_thread *t)
{
    t->away.top = rt_tls.top, t->away.limit = rt_tls.limit, t->away.base = rt_tls.base;
    t->away.ignore_accesses = rt_tls.ignore_accesses;
    t->away.ignore_sync = rt_tls.ignore_sync;
    gl_thread_set_key(t->core, &t->away.key);
}

static void arrive(struct rt_thread *t)
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
    t->os_tid = gl_os_tid();
}

struct rt_thread *rt_thread_aside(struct rt_thread *t, uintptr_t pc)
{
    struct rt_thread *aside = rt_thread_create(t, NULL, NULL, true, pc);
    if (aside) {
        rt_frames_new(&aside->away, RT_FRAMES);
        gl_thread_set_key(aside->core, &aside->away.key);
    }
    return aside;
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
    gl_store_relaxed(&fibers_used,
                     true); /* relaxed: a thread that switches got the fiber in some ordered way */
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
        leave(from);
        gl_spin_lock(&rt.registry); /* fork and the owners of pages find us as the one or the other */
        from->tls = NULL;
        to->tls = &rt_tls;
        gl_spin_unlock(&rt.registry);
        arrive(to);
        if (!(flags & NO_SYNC))
            rt_acquire(to, (uintptr_t)to, RT_USER, 0);
    }
    rt_leave();
}

RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name);
RT_EXPORT void __tsan_set_fiber_name(void *fiber, const char *name)
{
    struct rt_thread *named = fiber;
    for (size_t i = 0; named && i + 1 < sizeof named->name && (i == 0 || named->name[i - 1]); i++)
        named->name[i] = name[i];
}

/* ---- threads that libc begins ---- */

bool rt_thread_step_in(struct rt_thread *aside)
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
        arrive(aside);
    }
    return free;
}

void rt_thread_step_out(struct rt_thread *aside)
{
    leave(aside);
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
        rt_thread_end_away(aside);
}

void rt_thread_aside_end(struct rt_thread *aside)
{
    gl_spin_lock(&rt.registry);
    bool now = !aside->tls && !aside->away.ends;
    aside->away.ends = true;
    gl_spin_unlock(&rt.registry);
    if (now)
        rt_thread_end_away(aside);
}

/* ---- contexts ---- */

#define FRAMES  4096u /* of a context: they are many and shallow */
#define BUCKETS 1024u

struct context {
    const void *address; /* of its ucontext_t */
    struct context *next;
    struct rt_away frames; /* while it does not run */
    bool made;             /* by makecontext: the frames are its own, else a thread's */
    long words[RT_CONTEXT_WORDS];
};

static struct {
    struct gl_spin lock;
    struct context *bucket[BUCKETS];
} contexts;

/* Under the lock: the link that points, or would point, to it. */
static struct context **find(const void *address)
{
    struct context **link = &contexts.bucket[((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15ull >> 54];
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

/* NULL: no memory; stacks are wrong then, nothing else. */
static struct context *find_or_add(const void *address)
{
    struct context **link = find(address);
    if (!*link && (*link = gl_arena_alloc(sizeof **link)))
        **link = (struct context){.address = address};
    return *link;
}

long *rt_context_make(const void *address)
{
    gl_spin_lock(&contexts.lock);
    struct context *c = find_or_add(address);
    if (c && !c->made)
        rt_frames_new(&c->frames, FRAMES);
    if (c) {
        c->made = true;
        c->frames.top = c->frames.base;
    }
    gl_spin_unlock(&contexts.lock);
    return c ? c->words : NULL;
}

void rt_context_switch(const void *from, const void *to, uintptr_t sp)
{
    if (gl_load_relaxed(&fibers_used)) /* relaxed: see __tsan_create_fiber() */
        return;
    gl_spin_lock(&contexts.lock);
    struct context *old = from ? find_or_add(from) : NULL;
    if (old)
        old->frames.top = rt_tls.top, old->frames.limit = rt_tls.limit, old->frames.base = rt_tls.base;
    struct context **link = find(to), *new = *link;
    bool known = new != NULL;
    if (known) {
        rt_tls.top = new->frames.top, rt_tls.limit = new->frames.limit, rt_tls.base = new->frames.base;
        if (!new->made) { /* what stands there is used up */
            *link = new->next;
            gl_arena_free(new, sizeof *new);
        }
    }
    gl_spin_unlock(&contexts.lock);
    /* A handler that somebody may come back to, or that may be what it interrupted: for may_free(), when we are outside. */
    if ((known || from) && rt_tls.self && rt_tls.self->interrupted.handlers)
        __atomic_store_n(&rt_tls.self->interrupted.moved, true, __ATOMIC_RELAXED);
    if (!known)
        rt_unwind_to(sp); /* of getcontext: as longjmp */
}
