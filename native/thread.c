/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads: from pthread_create to the last TLS destructor, and their records, which outlive them because
 * reports name them.
 */
#include <pthread.h>

#include "core/sweep.h"
#include "native/intercept.h"
#include "native/omp.h"
#include "native/owner.h"
#include "native/record.h"

__thread struct rt_tls rt_tls;

/* Programs that were built with `goldilocks cc --inline` know its beginning by this name (inline.h). */
RT_EXPORT extern __thread struct rt_tls goldilocks_rt_tls_1 __attribute__((tls_model("initial-exec"), alias("rt_tls")));
_Static_assert(offsetof(struct rt_tls, key) == 0 && offsetof(struct rt_tls, top) == 16 && offsetof(struct rt_tls, limit) == 24 &&
                   offsetof(struct rt_tls, base) == 32 && offsetof(struct rt_frame, pc) == 0 && offsetof(struct rt_frame, node) == 8 &&
                   offsetof(struct rt_frame, sp) == 12 && sizeof(struct rt_frame) == 16,
               "struct goldilocks_rt_tls of inline.h; when it must change, so must the number in the name");

struct rt_thread *rt_thread_by_tid(uint32_t tid)
{
    struct rt_thread *t;
    gl_spin_lock(&rt.registry);
    for (t = rt.threads; t && t->tid != tid; t = t->next)
        ;
    gl_spin_unlock(&rt.registry);
    return t;
}

/* Under the registry's lock: nobody comes after the end of this thread. Once true it stays so: who begins to wait for a thread finds it first. */
static bool nobody_joins(const struct rt_thread *t) { return t->detached && !t->unheeded; }

static struct rt_thread *find_from(struct rt_thread *t, uintptr_t pthread)
{
    while (t && (t->pthread != pthread || t->joined || nobody_joins(t)))
        t = t->next;
    return t;
}

/* Under the registry's lock.  An id that the system reuses belonged to a thread that was joined or detached before; where that is not recorded yet,
 * the call is still under way, and the thread that got the id later has it. */
static struct rt_thread *find(uintptr_t pthread)
{
    struct rt_thread *t = find_from(rt.threads, pthread);
    if (t && (t->detaches || t->waits_begun != t->waits_over))
        for (struct rt_thread *u = find_from(t->next, pthread); u; u = find_from(u->next, pthread))
            if (u->named > t->named)
                t = u;
    return t;
}

struct rt_thread *rt_thread_find(uintptr_t pthread)
{
    gl_spin_lock(&rt.registry);
    struct rt_thread *t = find(pthread);
    gl_spin_unlock(&rt.registry);
    return t;
}

struct rt_thread *rt_thread_wait_begin(uintptr_t pthread)
{
    gl_spin_lock(&rt.registry);
    struct rt_thread *t = find(pthread);
    if (t)
        t->waits_begun++;
    gl_spin_unlock(&rt.registry);
    return t;
}

void rt_thread_wait_end(struct rt_thread *child)
{
    gl_spin_lock(&rt.registry);
    child->waits_over++;
    gl_spin_unlock(&rt.registry);
}

_Static_assert(sizeof(struct gl_sync) == sizeof((struct rt_thread *)0)->end, "room for a struct gl_sync");

/* A record for a thread that `creator` is about to start (NULL: the first). */
static struct rt_thread *record_new(struct rt_thread *creator)
{
    struct rt_thread *t = gl_arena_alloc(sizeof *t);
    if (!t)
        return NULL;
    t->caches = rt_caches_new();
    if (!t->caches) {
        gl_arena_free(t, sizeof *t);
        return NULL;
    }
    gl_spin_lock(&rt.registry);
    t->tid = rt.n_threads++;
    gl_spin_unlock(&rt.registry);
    t->core = gl_thread_create(rt.core, creator ? creator->core : NULL, t->tid, NULL);
    if (!t->core) {
        rt_caches_free(t->caches);
        gl_arena_free(t, sizeof *t);
        return NULL;
    }
    t->core->lock_at_once = true; /* sites count on it: RT_LOCKS_TOLD */
    t->core->join_sites = rt_sites_join;
    t->core->join_ctx = t;
    t->parent = creator ? creator->tid : 0;
    gl_spin_lock(&rt.registry);
    t->next = rt.threads;
    rt.threads = t;
    rt.staying++;
    gl_spin_unlock(&rt.registry);
    return t;
}

void rt_show_key(void)
{
    if (!rt_tls.self)
        return;
    bool hide = rt_tls.async_cancel || rt_tls.ignore_accesses ||
                (rt.recording && rt.options.record_accesses == RT_RECORD_ALL);
    gl_thread_set_key(rt_tls.self->core, hide ? &rt_tls.hidden_key : &rt_tls.key);
    if (hide)
        rt_tls.key = 0;
}

void rt_async_cancel(bool on)
{
    rt_tls.async_cancel = on;
    rt_show_key();
}

/* Makes the calling thread run as t. */
static void attach(struct rt_thread *t)
{
    struct rt_away frames;
    rt_frames_new(&frames, RT_FRAMES);
    rt_tls.base = frames.base, rt_tls.top = frames.top, rt_tls.limit = frames.limit;
    t->frames = frames.base, t->frames_limit = frames.limit;
    rt_tls.tag = RT_NO_TAG;
    t->os_tid = gl_os_tid();
    rt_tls.self = t;
    rt_show_key();
    rt_tls.engine = t->core;
    rt_tls.site_fast = t->caches->site_fast;
    /* From here on a fork waits for us; one that did not see us yet is seen by us.  A full fence between the two, as
     * rt_fork_before() has one between its own. */
    __atomic_store_n(&t->tls, &rt_tls, __ATOMIC_SEQ_CST);
    if (atomic_load(&rt.forking))
        rt_fork_wait();
}

struct rt_thread *rt_thread_start_main(void)
{
    struct rt_thread *t = record_new(NULL);
    if (t) {
        attach(t);
        rt_record_attach(t, false);
    }
    return t;
}

static int (*getattr)(pthread_t, pthread_attr_t *);
static int (*getstack)(const pthread_attr_t *, void **, size_t *);
static int (*destroy)(pthread_attr_t *);

/* For find_stack(), by who makes a thread: the thread itself would wait for the dynamic linker's lock, which a constructor of a library that is
 * being opened has, and that may wait for the thread. */
static void find_attributes(void)
{
    if (destroy)
        return;
    getattr = (int (*)(pthread_t, pthread_attr_t *))rt_real_find("pthread_getattr_np"); /* two threads at once find the same */
    getstack = (int (*)(const pthread_attr_t *, void **, size_t *))rt_real_find("pthread_attr_getstack");
    destroy = (int (*)(pthread_attr_t *))rt_real_find("pthread_attr_destroy"); /* cmake/static_libraries knows these names too */
}

struct rt_thread *rt_thread_create(struct rt_thread *creator, void *(*start)(void *), void *arg, bool detached,
                                   uintptr_t pc)
{
    struct rt_thread *t = record_new(creator);
    if (!t) {
        rt_count(RT_COUNT_sync_no_memory);
        gl_core_stop(rt.core);
        return NULL;
    }
    find_attributes();
    t->start = start;
    t->arg = arg;
    t->detached = detached;
    t->wanted = start != NULL;
    t->create_stack = rt_stack_here(creator, pc);
    rt_record_fork(creator, t);
    return t;
}

/* Under no lock: takes the record off the list. */
static void record_free(struct rt_thread *t)
{
    gl_spin_lock(&rt.registry);
    rt.staying -= !t->finished && !t->leaving;
    struct rt_thread **link = &rt.threads;
    while (*link && *link != t)
        link = &(*link)->next;
    if (*link)
        *link = t->next;
    gl_spin_unlock(&rt.registry);
    if (t->caches)
        rt_caches_free(t->caches);
    gl_arena_free(t, sizeof *t);
}

void rt_thread_create_failed(struct rt_thread *creator, struct rt_thread *child)
{
    rt_record_create_failed();
    struct gl_sync end = {0};
    gl_thread_end(child->core, &end);
    gl_sink_end(creator->core, &end); /* as if joined: its place is free for the next one */
    gl_sync_free(rt.core, &end);
    record_free(child);
}

void rt_thread_unwanted(struct rt_thread *child)
{
    gl_spin_lock(&rt.registry);
    child->wanted = false;
    gl_spin_unlock(&rt.registry);
}

/* A flow of control without a start (fiber.c) may still be named by the program when it has ended, unless it was joined. */
static bool is_over(const struct rt_thread *t)
{
    return t->finished && !t->core && !t->wanted && !t->detaches && t->waits_begun == t->waits_over &&
           (t->joined || (nobody_joins(t) && t->start));
}

void rt_threads_forget(struct rt_used *tids)
{
    /* Newest first: who made a thread comes after it. */
    for (struct rt_thread **link = &rt.threads, *t; (t = *link) != NULL;) {
        if (is_over(t) && !rt_is_used(tids, t->tid)) {
            *link = t->next;
            gl_arena_free(t, sizeof *t);
        } else {
            rt_use(tids, t->parent);
            link = &t->next;
        }
    }
}

void rt_thread_created(struct rt_thread *child, const uintptr_t *pthread)
{
    static uint64_t named; /* guarded by the registry's lock */
    /* The creator's word for it counts only when the thread has not said it itself: by then the place from which the creator
     * reads it may have been used again, or be gone. */
    gl_spin_lock(&rt.registry);
    if (!child->pthread) {
        child->pthread = *pthread;
        child->named = ++named;
    }
    gl_spin_unlock(&rt.registry);
}

/* Where its stack and static TLS lie: fresh memory, whoever used it before. */
static void find_stack(struct rt_thread *t, uintptr_t pthread)
{
    pthread_attr_t attr;
    void *lo;
    size_t n;
    if (!getattr || !getstack || !destroy || getattr((pthread_t)pthread, &attr) != 0)
        return;
    if (getstack(&attr, &lo, &n) == 0) {
        t->stack_lo = (uintptr_t)lo;
        t->stack_hi = (uintptr_t)lo + n;
        /* TLS and the thread's descriptor are at the top of the same block. */
        t->tls_hi = t->stack_hi;
        t->tls_lo = ((uintptr_t)&rt_tls & ~4095ul) > t->stack_lo ? (uintptr_t)&rt_tls & ~4095ul : t->stack_hi;
    }
    destroy(&attr);
}

void rt_thread_stack(struct rt_thread *t, uintptr_t pthread)
{
    find_stack(t, pthread);
    if (t->stack_hi)
        rt_stack_fresh(t, t->stack_lo, t->stack_hi);
}

void rt_thread_begin(struct rt_thread *t, uintptr_t pthread)
{
    rt_tls.depth = 1;
    attach(t);
    rt_record_attach(t, true);
    rt_thread_created(t, &pthread);
    rt_stack_wanted((uintptr_t)__builtin_frame_address(0));
    rt_thread_stack(t, t->pthread);
    rt_signal_stack_begin(t);
    rt_leave();
}

/* A robust mutex passes to the next locker (EOWNERDEAD) when its owner ends: what the owner did comes before.  Another one stays
 * locked, and libc lets anybody unlock it, after which its next holder comes after nothing that the owner did. */
static void give_up_locks(struct rt_thread *t)
{
    for (uint32_t left = t->core->n_held; left-- > 0;) {
        struct rt_lock_info info;
        const struct gl_held *h = &t->core->held[left];
        if (h->exclusive && rt_lock_info(h->cookie, &info) && info.kind == RT_MUTEX &&
            rt_mutex_passes_on(t, info.addr))
            rt_mutex_wait_begin(t, info.addr, 0); /* at any depth */
    }
}

/* Nobody runs as t any more: what it needed for that goes, the record stays for reports. */
static void record_end(struct rt_thread *t)
{
    rt_context_end(t);
    size_t frames = t->frames_limit ? (size_t)(t->frames_limit - t->frames) + 1 : 0;
    rt_frames_free(&(struct rt_away){.base = t->frames, .limit = t->frames_limit}, frames); /* and not those of a context in which it ended */
    t->frames = t->frames_limit = NULL;
    if (t->caches)
        rt_caches_free(t->caches);
    t->caches = NULL;
    gl_core_sweep_sooner(rt.core, sizeof *t);
    gl_spin_lock(&rt.registry);
    t->tls = NULL;
    rt.staying -= !t->leaving;
    t->finished = true;
    if (nobody_joins(t))
        gl_sync_free(rt.core, (struct gl_sync *)t->end);
    gl_spin_unlock(&rt.registry);
}

/* An OpenMP library's threads may end where its own accesses are ignored. */
void rt_check_ignores(void)
{
    if ((rt_tls.ignore_accesses || rt_tls.ignore_sync) && !rt_openmp_used)
        rt_count(RT_COUNT_ended_ignoring);
}

bool rt_thread_leaves(void)
{
    struct rt_thread *t = rt_tls.self;
    if (!t)
        return false;
    rt_enter_always();
    gl_spin_lock(&rt.registry);
    rt.staying -= !t->leaving;
    t->leaving = true;
    bool last = rt.staying == 0;
    gl_spin_unlock(&rt.registry);
    rt_leave();
    return last;
}

void rt_thread_end(void)
{
    struct rt_thread *t = rt_tls.self;
    if (!t)
        return;
    rt_enter_always();
    rt_signal_stack_end(t);
    rt_signal_thread_ends(t);
    rt_check_ignores();
    give_up_locks(t);
    gl_spin_lock(&rt.registry);
    bool alone = nobody_joins(t); /* for good */
    gl_spin_unlock(&rt.registry);
    rt_all_ending(t, alone);
    rt_record_end(t);
    gl_thread_end(t->core, (struct gl_sync *)t->end);
    t->core = NULL;
    rt_tls.self = NULL;
    rt_tls.key = 0;
    rt_tls.ended = true;
    rt_owner_end();
    if (t->context)
        rt_context_at(t, t->stack_lo);
    rt_tls.base = rt_tls.top = rt_tls.limit = NULL;
    record_end(t);
    rt_leave();
}

void rt_thread_end_away(struct rt_thread *t)
{
    gl_thread_end(t->core, (struct gl_sync *)t->end);
    t->core = NULL;
    record_end(t);
}

void rt_thread_joined(struct rt_thread *t, struct rt_thread *child)
{
    if (!rt_tls.ignore_sync)
        gl_sink_end(t->core, (struct gl_sync *)child->end);
    rt_record_join(t, child);
    gl_sync_free(rt.core, (struct gl_sync *)child->end);
    gl_spin_lock(&rt.registry);
    child->joined = true;
    gl_spin_unlock(&rt.registry);
}

/* While one thread waits for the end of another, a third one, or that other itself, may detach it. libc says yes, but the wait goes on, and may
 * still join it; when its time runs out, glibc sets the thread free to be joined by anybody, as if it had never been detached. Whether the wait had
 * begun in libc, or was over there, cannot be known: so a join is expected, until the thread is detached by a call that meets no wait. */
struct rt_thread *rt_thread_detach_begin(uintptr_t pthread, uint64_t *waits_over)
{
    gl_spin_lock(&rt.registry);
    struct rt_thread *t = find(pthread);
    if (t) {
        t->detaches++;
        *waits_over = t->waits_over;
    }
    gl_spin_unlock(&rt.registry);
    return t;
}

void rt_thread_detach_end(struct rt_thread *child, bool detached, uint64_t waits_over)
{
    gl_spin_lock(&rt.registry);
    child->detaches--;
    if (detached && !nobody_joins(child)) { /* else another call came first, which met no wait */
        child->detached = true;
        child->unheeded = child->waits_begun != waits_over;
        if (nobody_joins(child) && child->finished)
            gl_sync_free(rt.core, (struct gl_sync *)child->end);
    }
    gl_spin_unlock(&rt.registry);
}
