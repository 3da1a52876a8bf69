/* SPDX-License-Identifier: Apache-2.0
 *
 * The constructs of hb_sync.h.
 *
 * A join is O(1) when it brings nothing: a lock remembers the last epoch that was exported to it, and who knows that
 * epoch knows all that came with it, because an epoch is exported once.  (Of a thread that releases and takes
 * the same lock again that is always true.)
 */
#include "peers/hb_sync.h"

#include <string.h>

enum { FORKED = 1, BEGUN = 2, ENDED = 4 }; /* gl_hb_thread.life */

/* One generation of a barrier: from the first that enters to the last that leaves. */
struct generation {
    struct gl_clock clock;
    uint32_t inside;
    bool closed; /* somebody has left: who enters now opens the next one */
};

/* What a thread has taken of an object, beyond owning it. */
struct gl_hb_hold {
    struct gl_hb_hold *next;
    enum gl_class class; /* RWLOCK: read holds; BARRIER; MUTEX: given up in a wait */
    uint32_t count;      /* RWLOCK: how often; MUTEX: depth before the wait */
    uint64_t object;
    struct generation *generation; /* BARRIER */
};

/* What an exclusive holder leaves behind: a mutex, or the write side of a reader-writer lock. */
struct lock {
    struct gl_tree clock;
    uint64_t released; /* the epoch exported to it last; 0: none */
};

struct mutex {
    struct lock lock;
    uint32_t holder, depth; /* holder: valid while depth > 0 */
};

struct rwlock {
    struct lock written;
    struct gl_clock read;
    uint32_t writer, readers; /* writer: valid while `writing`; readers: holds of all threads */
    bool writing;
};

struct gather { /* volatile, atomic, semaphore, byte of a transaction */
    struct gl_clock clock;
};

struct barrier {
    struct generation *open; /* the one entered last; NULL: none is alive */
};

#define OBJECT_SHIFT 8 /* elements per leaf */
#define AT(hb, table, number, type)                                                                          \
    ((type *)gl_table_at(&(hb)->table, &(hb)->pool, (number), sizeof(type), OBJECT_SHIFT))

void gl_hb_init(struct gl_hb *hb, const struct gl_env *env, const struct gl_hb_kind *kind)
{
    *hb = (struct gl_hb){.kind = kind};
    gl_pool_init(&hb->pool, env);
}

void gl_hb_fini(struct gl_hb *hb) { gl_pool_end(&hb->pool); /* everything lies in it */ }

/* ---- the two kinds of clocks ---- */

static bool vector_start(struct gl_tree *t, struct gl_pool *pool, uint32_t thread, uint32_t number)
{
    if (!gl_clock_reserve(&t->clock, pool, thread + 1))
        return false;
    t->clock.at[thread] = number;
    return true;
}

static bool vector_join(struct gl_tree *t, struct gl_pool *pool, struct gl_tree_walk *walk,
                        const struct gl_tree *from)
{
    (void)walk;
    return gl_clock_join(&t->clock, pool, &from->clock);
}

static bool vector_join_clock(struct gl_tree *t, struct gl_pool *pool, const struct gl_clock *from)
{
    return gl_clock_join(&t->clock, pool, from);
}

static bool vector_copy(struct gl_tree *lock, struct gl_pool *pool, struct gl_tree_walk *walk,
                        const struct gl_tree *t)
{
    (void)walk;
    return gl_clock_copy(&lock->clock, pool, &t->clock);
}

const struct gl_hb_kind gl_hb_vector_clocks = {vector_start, vector_join, vector_join_clock, vector_copy};
const struct gl_hb_kind gl_hb_tree_clocks = {gl_tree_start, gl_tree_join, gl_tree_join_clock,
                                             gl_tree_copy_monotone};

/* ---- exports and imports; false: no memory ---- */

/* The epoch ends: C_t was exported, or is about to be. */
static gl_status tick(struct gl_hb_thread *t)
{
    uint32_t *now = &t->clock.clock.at[t->number];
    if (*now == GL_CLOCK_MAX)
        return GL_LIMIT;
    t->epoch = gl_epoch(t->number, ++*now);
    return GL_OK;
}

static gl_status after_export(struct gl_hb_thread *t, bool exported) { return exported ? tick(t) : GL_NOMEM; }

/* L := C_t, tick */
static gl_status release(struct gl_hb *hb, struct gl_hb_thread *t, struct lock *l)
{
    hb->n_copies++;
    l->released = t->epoch;
    return after_export(t, hb->kind->copy_monotone(&l->clock, &hb->pool, &hb->walk, &t->clock));
}

/* C_t |= L */
static bool acquire(struct gl_hb *hb, struct gl_hb_thread *t, const struct lock *l)
{
    if (gl_clock_knows(&t->clock.clock, l->released)) {
        hb->n_joins_skipped++;
        return true;
    }
    hb->n_joins++;
    return hb->kind->join(&t->clock, &hb->pool, &hb->walk, &l->clock);
}

/* O |= C_t; the caller ticks */
static bool gather(struct gl_hb *hb, const struct gl_hb_thread *t, struct gl_clock *o)
{
    hb->n_joins++;
    return gl_clock_join(o, &hb->pool, &t->clock.clock);
}

/* C_t |= O */
static bool import(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_clock *o)
{
    hb->n_joins++;
    return hb->kind->join_clock(&t->clock, &hb->pool, o);
}

static gl_status status_of(bool ok) { return ok ? GL_OK : GL_NOMEM; }

/* Why there is no such object. */
static gl_status missing(uint64_t number) { return number >= GL_TABLE_MAX ? GL_LIMIT : GL_NOMEM; }

/* ---- holds ---- */

/* The link that leads to the thread's hold, or to NULL. */
static struct gl_hb_hold **find_hold(struct gl_hb_hold **first, enum gl_class class, uint64_t object)
{
    while (*first && ((*first)->class != class || (*first)->object != object))
        first = &(*first)->next;
    return first;
}

static struct gl_hb_hold *add_hold(struct gl_hb *hb, struct gl_hb_thread *t, enum gl_class class,
                                   uint64_t object)
{
    struct gl_hb_hold *h = gl_pool_take(&hb->pool, sizeof *h);
    if (h) {
        *h = (struct gl_hb_hold){.next = t->holds, .class = class, .object = object};
        t->holds = h;
    }
    return h;
}

/* Takes the hold out of its list; the caller has read it already. */
static void drop_hold(struct gl_hb *hb, struct gl_hb_hold **link)
{
    struct gl_hb_hold *h = *link;
    *link = h->next;
    gl_pool_give(&hb->pool, h, sizeof *h);
}

/* ---- locks ---- */

static gl_status mutex_op(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    struct mutex *m = AT(hb, mutexes, e->object, struct mutex);
    if (!m)
        return missing(e->object);
    bool held = m->depth > 0, mine = held && m->holder == t->number;
    struct gl_hb_hold *h, **link;
    switch (e->op) {
    case GL_OP_ACQ:
        if (held && !mine)
            return GL_INVALID;
        m->holder = t->number;
        return m->depth++ ? GL_OK : status_of(acquire(hb, t, &m->lock));
    case GL_OP_REL:
        if (!mine)
            return GL_INVALID;
        return --m->depth ? GL_OK : release(hb, t, &m->lock);
    case GL_OP_CWAIT_BEGIN:
        if (!mine)
            return GL_INVALID;
        h = add_hold(hb, t, GL_CLASS_MUTEX, e->object);
        if (!h)
            return GL_NOMEM;
        h->count = m->depth;
        m->depth = 0;
        return release(hb, t, &m->lock);
    default: /* GL_OP_CWAIT_END */
        link = find_hold(&t->holds, GL_CLASS_MUTEX, e->object);
        if (held || !*link)
            return GL_INVALID;
        m->holder = t->number;
        m->depth = (*link)->count;
        drop_hold(hb, link);
        return status_of(acquire(hb, t, &m->lock));
    }
}

static gl_status rwlock_op(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    struct rwlock *l = AT(hb, rwlocks, e->object, struct rwlock);
    if (!l)
        return missing(e->object);
    bool mine = l->writing && l->writer == t->number;
    struct gl_hb_hold **link;
    switch (e->op) {
    case GL_OP_RDLOCK:
        if (l->writing && !mine)
            return GL_INVALID;
        link = find_hold(&t->holds, GL_CLASS_RWLOCK, e->object);
        if (!*link) {
            link = &t->holds;
            if (!add_hold(hb, t, GL_CLASS_RWLOCK, e->object))
                return GL_NOMEM;
        }
        (*link)->count++;
        l->readers++;
        return status_of(acquire(hb, t, &l->written));
    case GL_OP_RDUNLOCK:
        link = find_hold(&t->holds, GL_CLASS_RWLOCK, e->object);
        if (!*link)
            return GL_INVALID;
        if (!--(*link)->count)
            drop_hold(hb, link);
        l->readers--;
        return after_export(t, gather(hb, t, &l->read));
    case GL_OP_WRLOCK:
        if (l->writing || l->readers)
            return GL_INVALID;
        l->writing = true;
        l->writer = t->number;
        return status_of(acquire(hb, t, &l->written) && import(hb, t, &l->read));
    default: /* GL_OP_WRUNLOCK */
        if (!mine)
            return GL_INVALID;
        l->writing = false;
        return release(hb, t, &l->written);
    }
}

/* ---- barriers ---- */

static gl_status barrier_in(struct gl_hb *hb, struct gl_hb_thread *t, uint64_t object)
{
    struct barrier *b = AT(hb, barriers, object, struct barrier);
    if (!b)
        return missing(object);
    bool inside = *find_hold(&t->holds, GL_CLASS_BARRIER, object) != NULL;
    if (inside)
        return GL_INVALID;
    if (!b->open || b->open->closed) { /* a closed one lives on in the holds of who is still inside */
        b->open = gl_pool_take(&hb->pool, sizeof *b->open);
        if (!b->open)
            return GL_NOMEM;
    }
    struct gl_hb_hold *h = add_hold(hb, t, GL_CLASS_BARRIER, object);
    if (!h)
        return GL_NOMEM;
    h->generation = b->open;
    b->open->inside++;
    return after_export(t, gather(hb, t, &b->open->clock));
}

static gl_status barrier_out(struct gl_hb *hb, struct gl_hb_thread *t, uint64_t object)
{
    struct gl_hb_hold **link = find_hold(&t->holds, GL_CLASS_BARRIER, object);
    if (!*link)
        return GL_INVALID;
    struct barrier *b = AT(hb, barriers, object, struct barrier); /* it is there since the thread entered */
    struct generation *g = (*link)->generation;
    drop_hold(hb, link);
    g->closed = true;
    bool ok = import(hb, t, &g->clock);
    if (--g->inside == 0) {
        if (b->open == g)
            b->open = NULL;
        gl_clock_fini(&g->clock, &hb->pool);
        gl_pool_give(&hb->pool, g, sizeof *g);
    }
    return status_of(ok);
}

/* ---- threads ---- */

static struct gl_hb_thread *thread_at(struct gl_hb *hb, uint64_t number, gl_status *status)
{
    struct gl_hb_thread *t = NULL;
    *status = GL_LIMIT;
    if (number >= GL_CLOCK_THREADS)
        return NULL;
    t = gl_table_at(&hb->threads, &hb->pool, number, sizeof *t, GL_HB_THREAD_SHIFT);
    *status = GL_NOMEM;
    if (!t)
        return NULL;
    *status = GL_OK;
    t->number = (uint32_t)number;
    return t;
}

static bool start(struct gl_hb *hb, struct gl_hb_thread *t)
{
    return t->clock.clock.n || hb->kind->start(&t->clock, &hb->pool, t->number, 1);
}

struct gl_hb_thread *gl_hb_begin(struct gl_hb *hb, uint32_t number, gl_status *status)
{
    struct gl_hb_thread *t = thread_at(hb, number, status);
    if (!t)
        return NULL;
    if (t->life & ENDED) {
        *status = GL_INVALID;
        return NULL;
    }
    if (!t->epoch) {
        if (!start(hb, t)) {
            *status = GL_NOMEM;
            return NULL;
        }
        t->epoch = gl_epoch(number, t->clock.clock.at[number]);
    }
    t->life |= BEGUN;
    return t;
}

void gl_hb_unbegin(struct gl_hb_thread *t)
{
    t->epoch = 0;
    t->life &= ~(uint32_t)BEGUN;
}

static gl_status fork_or_join(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    gl_status status;
    bool fork = e->op == GL_OP_FORK;
    if (e->object == t->number || e->object > UINT32_MAX || (fork && e->object == 0))
        return GL_INVALID;
    struct gl_hb_thread *u = thread_at(hb, e->object, &status);
    if (!u)
        return status;
    if (fork ? u->life != 0 : !u->life && e->object != 0)
        return GL_INVALID; /* forked or seen already; or never */
    if (!start(hb, u))     /* thread 0 may be joined before its first event */
        return GL_NOMEM;
    hb->n_joins++;
    if (fork) {
        u->life |= FORKED;
        return after_export(t, hb->kind->join(&u->clock, &hb->pool, &hb->walk, &t->clock));
    }
    u->life |= ENDED;
    u->epoch = 0;
    return status_of(hb->kind->join(&t->clock, &hb->pool, &hb->walk, &u->clock));
}

/* ---- accesses that order ---- */

static uint64_t commit_byte(const struct gl_event *e, uint64_t i)
{
    return i < e->n_reads ? e->reads[i] : e->writes[i - e->n_reads];
}

/* Before a commit (C_t |= X) or after it (X |= C_t, tick). */
static gl_status commit_side(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e, bool after)
{
    uint64_t total = gl_event_does(e, after ? GL_COMMIT_END : GL_COMMIT_BEGIN) ? (uint64_t)e->n_reads + e->n_writes : 0;
    for (uint64_t i = 0; i < total; i++) {
        struct gather *x = AT(hb, transactions, commit_byte(e, i), struct gather);
        if (!x)
            return missing(commit_byte(e, i));
        if (!(after ? gather(hb, t, &x->clock) : import(hb, t, &x->clock)))
            return GL_NOMEM;
    }
    return after && total ? tick(t) : GL_OK;
}

gl_status gl_hb_acquire_side(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    if (e->op == GL_OP_COMMIT)
        return commit_side(hb, t, e, false);
    struct gather *a = AT(hb, atomics, e->object, struct gather);
    if (!a)
        return missing(e->object);
    if (e->op == GL_OP_STORE)
        return GL_OK;
    if (gl_order_acquires(e->order))
        return status_of(import(hb, t, &a->clock));
    return status_of(gl_clock_join(&t->fence_acquire, &hb->pool, &a->clock));
}

gl_status gl_hb_release_side(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    if (e->op == GL_OP_COMMIT)
        return commit_side(hb, t, e, true);
    struct gather *a = AT(hb, atomics, e->object, struct gather);
    if (!a)
        return missing(e->object);
    if (e->op == GL_OP_LOAD)
        return GL_OK;
    bool releases = gl_order_releases(e->order);
    const struct gl_clock *from = releases ? &t->clock.clock : &t->fence_release;
    hb->n_copies += e->op == GL_OP_STORE;
    hb->n_joins += e->op == GL_OP_RMW;
    bool ok = e->op == GL_OP_STORE ? gl_clock_copy(&a->clock, &hb->pool, from)
                                   : gl_clock_join(&a->clock, &hb->pool, from);
    return ok && releases ? tick(t) : status_of(ok);
}

static gl_status fence(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    if (gl_order_acquires(e->order)) {
        if (!import(hb, t, &t->fence_acquire))
            return GL_NOMEM;
        t->fence_acquire.n = 0; /* taken in whole */
    }
    if (!gl_order_releases(e->order))
        return GL_OK;
    hb->n_copies++;
    return after_export(t, gl_clock_copy(&t->fence_release, &hb->pool, &t->clock.clock));
}

/* ---- events ---- */

static gl_status volatile_or_semaphore(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e)
{
    bool is_volatile = e->op == GL_OP_VOLREAD || e->op == GL_OP_VOLWRITE;
    struct gather *x = is_volatile ? AT(hb, volatiles, e->object, struct gather)
                                   : AT(hb, semaphores, e->object, struct gather);
    if (!x)
        return missing(e->object);
    if (e->op == GL_OP_VOLWRITE || e->op == GL_OP_POST)
        return after_export(t, gather(hb, t, &x->clock));
    return status_of(import(hb, t, &x->clock));
}

gl_status gl_hb_sync(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e, bool first)
{
    switch (e->op) {
    case GL_OP_ACQ:
    case GL_OP_REL:
    case GL_OP_CWAIT_BEGIN:
    case GL_OP_CWAIT_END:
        return mutex_op(hb, t, e);
    case GL_OP_RDLOCK:
    case GL_OP_RDUNLOCK:
    case GL_OP_WRLOCK:
    case GL_OP_WRUNLOCK:
        return rwlock_op(hb, t, e);
    case GL_OP_VOLREAD:
    case GL_OP_VOLWRITE:
    case GL_OP_POST:
    case GL_OP_WAIT:
        return volatile_or_semaphore(hb, t, e);
    case GL_OP_FENCE:
        return fence(hb, t, e);
    case GL_OP_BAR_IN:
        return barrier_in(hb, t, e->object);
    case GL_OP_BAR_OUT:
        return barrier_out(hb, t, e->object);
    case GL_OP_FORK:
    case GL_OP_JOIN:
        return fork_or_join(hb, t, e);
    case GL_OP_BEGIN:
        return first ? GL_OK : GL_INVALID;
    case GL_OP_END:
        t->life |= ENDED;
        t->epoch = 0;
        return GL_OK;
    default:
        return GL_INVALID;
    }
}

void gl_hb_counts(const struct gl_hb *hb, gl_count_fn *count, void *ctx)
{
    count(ctx, "clock_joins", "clocks joined, number by number or along a tree", hb->n_joins);
    count(ctx, "clock_joins_skipped", "joins that could bring nothing, seen from one epoch",
          hb->n_joins_skipped);
    count(ctx, "clock_copies", "clocks copied", hb->n_copies);
}
