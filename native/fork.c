/* SPDX-License-Identifier: Apache-2.0
 *
 * A moment in which no other thread is inside the runtime: for fork(), and for who must come after all threads.
 *
 * fork(): the child is a copy of a process in which every other thread has vanished, wherever it was.  So
 * nobody may be inside the runtime at that moment: no cell, object or log record is half done then.
 *
 * rt_fork_before() raises rt.forking, makes every thread see it (membarrier stands in for a fence in rt_enter(), which
 * would cost on every call), and waits until all are outside; rt_enter() waits while it is raised.
 *
 * The same serves rt_alone_begin(), for work on what everybody uses (sweep.c).  That need not be done now: it does not wait for a
 * thread that stays inside, which may in turn wait, in the program's __tsan_on_report(), for one that is kept out.
 */
#include <limits.h>

#include "core/atomic.h"
#include "native/fd.h"
#include "native/own_lock.h"
#include "native/owner.h"
#include "native/record.h"
#include "symbol/symbol.h"

static struct gl_spin fork_lock; /* one fork at a time */

#define ALONE_ROUNDS 2000u
#define WAIT_ROUNDS  80u /* of gl_os_pause(): a few yields.  Then sleep: a thousand threads that yield leave no processor to who is alone */

void rt_fork_wait(void)
{
    /* depth goes to 0 before we wait: rt_fork_before() must not wait for us. */
    uint32_t depth = rt_tls.depth;
    while (gl_load_acquire(&rt.forking)) { /* pairs with open_up() */
        __atomic_store_n(&rt_tls.depth, 0, __ATOMIC_RELEASE); /* pairs with all_outside() */
        for (unsigned n = 0; gl_load_acquire(&rt.forking); n++)
            if (n < WAIT_ROUNDS)
                gl_os_pause(n);
            else
                (void)gl_os_futex_wait((uint32_t *)&rt.forking, 1, NULL, false);
        __atomic_store_n(&rt_tls.depth, depth, __ATOMIC_SEQ_CST);
    }
}

static void open_up(void)
{
    gl_store_release(&rt.forking, 0); /* pairs with rt_fork_wait() */
    gl_os_futex_wake((uint32_t *)&rt.forking, INT_MAX);
}

/* Under the registry's lock. */
static bool all_outside(void)
{
    for (struct rt_thread *t = rt.threads; t; t = t->next)
        if (t->tls && t->tls != &rt_tls && __atomic_load_n(&t->tls->depth, __ATOMIC_ACQUIRE) != 0)
            return false; /* acquire: pairs with the store of 0 by rt_leave() and rt_fork_wait() */
    return true;
}

/* With fork_lock: keeps everybody out and waits until they are, for so many rounds at most (0: for ever).  True: the registry is
 * locked, and nobody is inside until let_in(). */
static bool keep_out(unsigned rounds)
{
    rt_tls.depth++;
    gl_store_release(&rt.forking, 1);
    gl_os_membarrier();
    /* A thread inside does not block there for long; one may need the registry to get out. */
    for (unsigned n = 0; !rounds || n < rounds; n++) {
        gl_spin_lock(&rt.registry);
        if (all_outside()) {
            rt_owner_revoke_all(); /* without a tag nobody gets past rt.forking */
            return true;
        }
        gl_spin_unlock(&rt.registry);
        gl_os_pause(n);
    }
    open_up();
    rt_tls.depth--;
    return false;
}

static void let_in(void)
{
    gl_spin_unlock(&rt.registry);
    open_up();
    rt_tls.depth--;
}

void rt_fork_before(void)
{
    /* Another thread's fork must not wait for us while we wait for it. */
    for (unsigned n = 0; !gl_spin_try(&fork_lock); n++) {
        uint32_t depth = rt_tls.depth;
        __atomic_store_n(&rt_tls.depth, 0, __ATOMIC_RELEASE); /* pairs with all_outside() */
        gl_os_pause(n);
        __atomic_store_n(&rt_tls.depth, depth, __ATOMIC_SEQ_CST);
        if (gl_load_acquire(&rt.forking))
            rt_fork_wait();
    }
    (void)keep_out(0);
    rt_record_fork_before(); /* the writer may be in there */
    gl_symbol_fork_before(); /* nobody is in there now */
}

static void fork_over(void)
{
    let_in();
    gl_symbol_fork_after();
    gl_spin_unlock(&fork_lock);
}

bool rt_alone_begin(void)
{
    if (!gl_spin_try(&fork_lock))
        return false;
    if (keep_out(ALONE_ROUNDS))
        return true;
    gl_spin_unlock(&fork_lock);
    return false;
}

void rt_alone_end(void)
{
    gl_os_membarrier(); /* whoever enters from now on sees what was done to its caches: rt_enter() need not acquire */
    let_in();
    gl_spin_unlock(&fork_lock);
}

void rt_fork_parent(void)
{
    rt_record_fork_parent();
    fork_over();
}

/* Of a thread that nobody runs as now: what it does from now on is in that epoch or a later one, and nothing that it has done. */
static uint32_t next_epoch(struct gl_thread *t)
{
    struct gl_sync nobody = {0};
    gl_source(t, &nobody, false, 0);
    gl_sync_free(rt.core, &nobody);
    return t->epoch;
}

/* Does nobody run as t now, who has not ended?  Another flow of control of ours, perhaps, that goes on here; but not a thread that is about to begin. */
static bool is_away(const struct rt_thread *t) { return !t->tls && !t->finished && t->core && (!t->start || t->os_tid); }

/* What the thread held in memory that processes share, its parent holds on. */
static void give_back_shared(struct rt_thread *t)
{
    bool any = false;
    for (uint32_t i = t->core->n_held; i-- > 0;) {
        const struct gl_held h = t->core->held[i];
        struct rt_lock_info info;
        if (!rt_lock_info(h.cookie, &info) || info.dead || rt_lock_is_own(t, info.addr, (enum rt_kind)info.kind) ||
            !rt_lock_is_others(info.addr, (enum rt_kind)info.kind))
            continue;
        if (!any)
            (void)next_epoch(t->core); /* what came before was done while it held them */
        any = true;
        gl_held_drop(t->core, h.serial);
    }
    if (any)
        rt_locks_changed();
}

void rt_fork_child(void)
{
    /* Only the calling thread is here.  The others' records stay, for reports. */
    rt.staying = 0;
    for (struct rt_thread *t = rt.threads; t; t = t->next)
        if (t->tls != &rt_tls) {
            if (is_away(t))
                t->epoch_at_fork = next_epoch(t->core);
            else
                t->left = t->finished = true;
            t->tls = NULL;
            t->detached = true; /* nobody has to join it here */
        }
    for (struct rt_thread *t = rt.threads; t; t = t->next)
        rt.staying += !t->leaving && !t->finished;
    rt_own_forked();
    rt_spares_forked();
    gl_store_relaxed(&rt.reports, 0); /* the exit code of the child tells of the child's races */
    gl_store_relaxed(&rt.races, 0);
    rt.forked = true;
    rt.others = 0;
    gl_store_relaxed(&rt.finished, false);
    rt_log_forked();
    gl_os_membarrier_register();
    fork_over();
    if (rt_tls.self) {
        rt_tls.self->os_tid = gl_os_tid();
        give_back_shared(rt_tls.self);
    }
    rt_record_fork_child();
    rt_fd_forked();
}

/* ---- after everything that any thread did ---- */

/* What threads that ended did, since somebody may ask; the others are asked themselves.  Who asks comes after all those that ended since somebody asked
 * last, and so it is for them all: they are a group (gl_thread_ends_alone()). */
static bool all_asked;
static uint64_t ended;
static uint32_t times_asked; /* under `ending`, as are what ends leave there */
static struct gl_spin ending;

void rt_all_asked(void) { __atomic_store_n(&all_asked, true, __ATOMIC_RELAXED); } /* relaxed: before other threads know of the heap */

void rt_all_ending(struct rt_thread *t, bool alone)
{
    bool asked = __atomic_load_n(&all_asked, __ATOMIC_RELAXED);
    if (!asked && !alone)
        return;
    gl_spin_lock(&ending);
    if (alone)
        gl_thread_ends_alone(t->core, asked ? 1 + times_asked : 0); /* 0: nobody asks yet, and nobody will come after it */
    if (asked)
        rt_release(t, (uintptr_t)&ended, RT_USER, 0);
    gl_spin_unlock(&ending);
}

/* Nobody else is inside, so their part of the core may be used for them; the keys of their filters follow by themselves, and an access
 * that still meets the old one counts as made before. */
void rt_acquire_all(struct rt_thread *t)
{
    struct gl_sync all = {0};
    rt_fork_before();
    for (struct rt_thread *u = rt.threads; u; u = u->next)
        if (u != t && u->core && !u->finished)
            gl_source(u->core, &all, false, 0);
    gl_os_membarrier(); /* whoever enters from now on sees what was done for it: rt_enter() need not acquire */
    rt_fork_parent();
    gl_sink(t->core, &all);
    gl_sync_free(rt.core, &all);
    gl_spin_lock(&ending);
    times_asked++;
    rt_acquire(t, (uintptr_t)&ended, RT_USER, 0);
    gl_spin_unlock(&ending);
}
