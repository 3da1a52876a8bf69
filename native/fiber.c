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

/* ---- contexts ---- */

#define FRAMES  4096u /* of a context: they are many and shallow */
#define BUCKETS 1024u

/* What is kept for a ucontext_t. */
struct rt_context {
    const void *address;
    struct rt_context *next;
    struct rt_away own;    /* of makecontext: where its function runs; base NULL: it was not made */
    struct rt_away frames; /* those that were in use when it was saved, or its own */
    struct rt_context *of; /* to which they belong; NULL: to a thread */
    long words[RT_CONTEXT_WORDS];
};

/* The stacks that were given to makecontext, the last one of those that overlap, by address: who leaves a context by longjmp says only where he goes. */
struct place {
    uintptr_t lo, hi;
    struct rt_context *context;
};

static struct {
    struct gl_spin lock;
    struct rt_context *bucket[BUCKETS];
    uint32_t saved; /* of those that were not made */
    struct place *place;
    size_t n_places, room;
} contexts;
bool rt_contexts_made;

/* Under the lock: the link that points, or would point, to it. */
static struct rt_context **find(const void *address)
{
    struct rt_context **link = &contexts.bucket[((uintptr_t)address >> 4) * 0x9E3779B97F4A7C15ull >> 54];
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

/* NULL: no memory; stacks are wrong then, nothing else. */
static struct rt_context *find_or_add(const void *address)
{
    struct rt_context **link = find(address);
    if (!*link && (*link = gl_arena_alloc(sizeof **link))) {
        **link = (struct rt_context){.address = address};
        contexts.saved++;
    }
    return *link;
}

/* The first place that ends above the address. */
static size_t place_above(uintptr_t a)
{
    size_t lo = 0, hi = contexts.n_places;
    while (lo < hi) {
        size_t middle = (lo + hi) / 2;
        if (contexts.place[middle].hi > a)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

static struct rt_context *context_at(uintptr_t sp)
{
    size_t i = place_above(sp);
    return i < contexts.n_places && contexts.place[i].lo <= sp ? contexts.place[i].context : NULL;
}

static void place_remove(size_t from, size_t to)
{
    for (size_t i = to; i < contexts.n_places; i++)
        contexts.place[from + i - to] = contexts.place[i];
    contexts.n_places -= to - from;
}

static void place_add(struct rt_context *c, uintptr_t lo, uintptr_t hi)
{
    size_t at = place_above(lo), end = at;
    while (end < contexts.n_places && contexts.place[end].lo < hi)
        end++;
    place_remove(at, end);
    if (contexts.n_places == contexts.room) {
        size_t room = contexts.room ? 2 * contexts.room : 64;
        struct place *more = gl_os_map(room * sizeof *more);
        if (!more)
            return; /* stacks are wrong then, nothing else */
        for (size_t i = 0; i < contexts.n_places; i++)
            more[i] = contexts.place[i];
        if (contexts.place)
            gl_os_unmap(contexts.place, contexts.room * sizeof *more);
        contexts.place = more;
        contexts.room = room;
    }
    for (size_t i = contexts.n_places++; i > at; i--)
        contexts.place[i] = contexts.place[i - 1];
    contexts.place[at] = (struct place){lo, hi, c};
}

/* The context that has had the very same stack, which is over then; NULL: none. */
static struct rt_context *context_on(uintptr_t lo, uintptr_t hi)
{
    size_t i = place_above(lo);
    return i < contexts.n_places && contexts.place[i].lo == lo && contexts.place[i].hi == hi ? contexts.place[i].context : NULL;
}

/* Nothing is known by its address any more. */
static void unlink_locked(struct rt_context *c)
{
    struct rt_context **link = find(c->address);
    if (*link != c)
        return; /* another one is */
    *link = c->next;
    if (c->own.base)
        return; /* it may run, known by its stack */
    gl_arena_free(c, sizeof *c);
    contexts.saved--;
}

/* A ucontext_t may lie on the stack of who makes it, where the next one lies, too: whoever runs on the stack of the former keeps its frames.  NULL: no memory. */
static struct rt_context *make_locked(const void *address, uintptr_t lo, uintptr_t hi)
{
    struct rt_context *before = *find(address), *c = lo < hi ? context_on(lo, hi) : before && before->own.base ? before : NULL;
    bool is_new = !c;
    if (is_new && !(c = gl_arena_alloc(sizeof *c)))
        return NULL;
    if (is_new) {
        *c = (struct rt_context){.address = address};
        rt_frames_new(&c->own, FRAMES);
    } else {
        unlink_locked(c);
    }
    if (before && before != c)
        unlink_locked(before);
    struct rt_context **link = find(address);
    c->address = address;
    c->next = *link;
    *link = c;
    c->own.top = c->own.base;
    c->frames = c->own;
    c->of = c;
    if (lo < hi)
        place_add(c, lo, hi);
    return c;
}

long *rt_context_make(const void *address, uintptr_t stack, size_t bytes)
{
    gl_spin_lock(&contexts.lock);
    struct rt_context *c = make_locked(address, stack, stack + bytes);
    __atomic_store_n(&rt_contexts_made, true, __ATOMIC_RELAXED); /* relaxed: who goes there comes after this */
    gl_spin_unlock(&contexts.lock);
    return c ? c->words : NULL;
}

/* The thread goes from the frames that it has now to those. */
static void go_locked(struct rt_thread *t, const struct rt_away *frames, struct rt_context *of)
{
    if (t && t->context && rt_tls.base == t->context->own.base)
        t->context->own.top = rt_tls.top;
    else if (t && rt_tls.base == t->frames) /* else it runs what another thread has saved */
        t->frames_top = rt_tls.top;
    rt_tls.top = frames->top, rt_tls.limit = frames->limit, rt_tls.base = frames->base;
    if (t)
        t->context = of;
}

void rt_context_switch(const void *from, const void *to, uintptr_t sp)
{
    struct rt_thread *t = rt_tls.self;
    if (gl_load_relaxed(&fibers_used)) /* relaxed: see __tsan_create_fiber() */
        return;
    gl_spin_lock(&contexts.lock);
    struct rt_context *old = from ? find_or_add(from) : NULL;
    if (old) {
        old->frames = (struct rt_away){.top = rt_tls.top, .limit = rt_tls.limit, .base = rt_tls.base};
        old->of = t ? t->context : NULL;
    }
    struct rt_context **link = find(to), *new = *link;
    bool known = new != NULL;
    if (known) {
        go_locked(t, &new->frames, new->of);
        if (!new->own.base) { /* what stands there is used up */
            *link = new->next;
            gl_arena_free(new, sizeof *new);
            contexts.saved--;
        }
    }
    gl_spin_unlock(&contexts.lock);
    /* A handler that somebody may come back to, or that may be what it interrupted: for may_free(), when we are outside. */
    if ((known || from) && t && t->interrupted.handlers)
        __atomic_store_n(&t->interrupted.moved, true, __ATOMIC_RELAXED);
    if (!known)
        rt_unwind_to(sp); /* of getcontext: as longjmp */
}

void rt_context_at(struct rt_thread *t, uintptr_t sp)
{
    if (gl_load_relaxed(&fibers_used)) /* relaxed: see __tsan_create_fiber() */
        return;
    bool own = sp >= t->stack_lo && sp < t->stack_hi;
    if (own && !t->context)
        return;
    gl_spin_lock(&contexts.lock);
    struct rt_context *c = context_at(sp);
    own = own && c != t->context; /* its stack may be a part of the thread's */
    if (own)
        go_locked(t, &(struct rt_away){.base = t->frames, .limit = t->frames_limit, .top = t->frames_top}, NULL);
    else if (c && c != t->context)
        go_locked(t, &c->own, c);
    gl_spin_unlock(&contexts.lock);
}

/* What was saved while they were in use leads nowhere. */
void rt_context_end(struct rt_thread *t)
{
    gl_spin_lock(&contexts.lock);
    for (size_t i = 0; contexts.saved && i < BUCKETS; i++)
        for (struct rt_context **link = &contexts.bucket[i], *c; (c = *link) != NULL;) {
            if (c->own.base || c->frames.base != t->frames) {
                link = &c->next;
                continue;
            }
            *link = c->next;
            gl_arena_free(c, sizeof *c);
            contexts.saved--;
        }
    gl_spin_unlock(&contexts.lock);
}
