/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine behind the detector interface: event numbers to the core's objects, constructs to
 * sources and sinks.  Numbers are looked up in two-level tables that only grow, so that events of
 * different threads may come at the same time.
 */
#include <string.h>

#include "core/cell_inl.h"
#include "core/construct.h"
#include "core/number_table.h"
#include "core/state.h"

#ifdef GL_MUTANTS
enum gl_mutant gl_mutant;
#endif

/* ---- elements ---- */

/* One generation of a barrier.  Its object is used again when all who entered have left. */
struct generation {
    struct gl_sync sync;
    uint32_t inside;
    bool closed;
    struct generation *next_free, *next_page; /* next_page: in the first of each page */
};

struct object {
    struct gl_lock lock; /* events on one object may be reported by several threads */
    union {
        struct gl_mutex mutex;
        struct gl_rwlock rwlock;
        struct gl_sync sync; /* volatile, atomic, semaphore, transaction byte */
        struct generation *open;
    };
};

/* Which generation of which barrier a thread is in. */
struct inside {
    uint64_t barrier;
    struct generation *generation;
};

struct thread {
    _Atomic(struct gl_thread *) core; /* NULL: not begun, or ended */
    _Atomic bool ended;
    struct gl_sync end; /* what a join sinks on */
    struct inside *in; /* NULL: it never entered a barrier */
    uint32_t n_in, cap_in;
    struct thread *next_enterer;
};

struct cell {
    _Atomic uint64_t word, sites;
};

struct gl_state {
    bool lock_at_once; /* for threads to come: see struct gl_thread */
    struct gl_core *core;
    struct gl_env env;
    struct gl_lock lock; /* guards the lists of generations, thread starts and ends */
    struct generation *free_generations, *pages;
    struct thread *enterers; /* those that entered a barrier once */
    struct table threads, mutexes, rwlocks, volatiles, atomics, barriers, semaphores, transactions, cells;
};

static inline struct thread *thread_at(struct gl_state *s, uint64_t number)
{
    return table_at(&s->threads, number, sizeof(struct thread), &s->env);
}

static inline struct object *object_at(struct gl_state *s, struct table *tab, uint64_t number)
{
    return table_at(tab, number, sizeof(struct object), &s->env);
}

static inline struct cell *cell_at(struct gl_state *s, uint64_t address)
{
    return table_at(&s->cells, address >> 2, sizeof(struct cell), &s->env);
}

static struct gl_state *goldilocks_create(const struct gl_env *env)
{
    struct gl_state *s = env->map(env->ctx, sizeof *s);
    if (!s)
        return NULL;
    s->env = *env;
    s->core = gl_core_create(env);
    if (!s->core) {
        env->unmap(env->ctx, s, sizeof *s);
        return NULL;
    }
    s->threads.element = sizeof(struct thread);
    s->cells.element = sizeof(struct cell);
    s->mutexes.element = s->rwlocks.element = s->volatiles.element = s->atomics.element = s->barriers.element =
        s->semaphores.element = s->transactions.element = sizeof(struct object);
    return s;
}

static void goldilocks_destroy(struct gl_state *s)
{
    struct gl_env env = s->env;
    gl_core_destroy(s->core);
    for (struct thread *th = s->enterers; th; th = th->next_enterer)
        env.unmap(env.ctx, th->in, th->cap_in * sizeof *th->in);
    for (struct generation *p = s->pages, *next; p; p = next) {
        next = p->next_page;
        env.unmap(env.ctx, p, 4096);
    }
    table_fini(&s->threads, &env);
    table_fini(&s->mutexes, &env);
    table_fini(&s->rwlocks, &env);
    table_fini(&s->volatiles, &env);
    table_fini(&s->atomics, &env);
    table_fini(&s->barriers, &env);
    table_fini(&s->semaphores, &env);
    table_fini(&s->transactions, &env);
    table_fini(&s->cells, &env);
    env.unmap(env.ctx, s, sizeof *s);
}

/* ---- threads ---- */

/* The thread's record; it begins now when it has not (thread 0, and threads that nobody forked). */
static struct gl_thread *thread_now(struct gl_state *s, struct thread *th, uint32_t number)
{
    struct gl_thread *t = gl_load_acquire(&th->core); /* pairs with the store below, and with do_fork() */
    if (t)
        return t;
    if (gl_load_acquire(&th->ended)) /* pairs with thread_end() */
        return NULL;
    t = gl_thread_create(s->core, NULL, number, NULL);
    if (t)
        t->lock_at_once = s->lock_at_once;
    gl_store_release(&th->core, t); /* pairs with the load above, event_quick() and thread_find() */
    return t;
}

static void thread_end(struct thread *th)
{
    struct gl_thread *t = gl_load_acquire(&th->core);
    if (!t)
        return;
    gl_store_relaxed(&th->core, NULL);
    gl_store_release(&th->ended, true); /* pairs with thread_now() */
    gl_thread_end(t, &th->end);
}

static gl_status do_fork(struct gl_state *s, struct gl_thread *t, uint64_t child)
{
    struct thread *th = thread_at(s, child);
    if (!th)
        return table_missing(child);
    if (gl_load_acquire(&th->core) || gl_load_acquire(&th->ended) || child > UINT32_MAX)
        return GL_INVALID;
    struct gl_thread *c = gl_thread_create(s->core, t, (uint32_t)child, NULL);
    if (c)
        c->lock_at_once = s->lock_at_once;
    gl_store_release(&th->core, c); /* pairs with thread_now(), event_quick(), thread_find() */
    return c ? GL_OK : GL_NOMEM;
}

static gl_status do_join(struct gl_state *s, struct gl_thread *t, uint64_t child)
{
    struct thread *th = thread_at(s, child);
    if (!th)
        return table_missing(child);
    if (gl_load_acquire(&th->core) == t)
        return GL_INVALID;
    if (child == 0)
        (void)thread_now(s, th, 0); /* it exists from the start, with or without events */
    gl_lock_take(&s->lock, &s->env); /* two joiners of one thread: it ends once */
    thread_end(th);
    bool known = gl_load_acquire(&th->ended);
    if (known)
        gl_sink(t, &th->end);
    gl_lock_drop(&s->lock);
    return known ? GL_OK : GL_INVALID;
}

/* ---- barriers ---- */

static gl_status bar_in(struct gl_state *s, struct thread *th, struct gl_thread *t, struct object *o, uint64_t id)
{
    struct generation *g = o->open;
    if (!g || g->closed) {
        gl_lock_take(&s->lock, &s->env);
        g = s->free_generations;
        if (g)
            s->free_generations = g->next_free;
        gl_lock_drop(&s->lock);
        if (!g) {
            size_t n = 4096 / sizeof *g;
            struct generation *page = s->env.map(s->env.ctx, 4096);
            if (!page)
                return GL_NOMEM;
            gl_lock_take(&s->lock, &s->env);
            page->next_page = s->pages;
            s->pages = page;
            for (size_t i = 1; i < n; i++) {
                page[i].next_free = s->free_generations;
                s->free_generations = &page[i];
            }
            gl_lock_drop(&s->lock);
            g = page;
        }
        g->sync = (struct gl_sync){0};
        g->inside = 0;
        g->closed = false;
        o->open = g;
    }
    bool first = !th->in;
    if (!gl_grow(&s->env, (void **)&th->in, &th->cap_in, th->n_in, sizeof *th->in))
        return GL_NOMEM;
    if (first) {
        gl_lock_take(&s->lock, &s->env);
        th->next_enterer = s->enterers;
        s->enterers = th;
        gl_lock_drop(&s->lock);
    }
    th->in[th->n_in++] = (struct inside){id, g};
    g->inside++;
    gl_source(t, &g->sync, false, 0);
    return GL_OK;
}

static gl_status bar_out(struct gl_state *s, struct thread *th, struct gl_thread *t, struct object *o, uint64_t id)
{
    for (uint32_t i = th->n_in; i-- > 0;) {
        if (th->in[i].barrier != id)
            continue;
        struct generation *g = th->in[i].generation;
        th->in[i] = th->in[--th->n_in];
        g->closed = true;
        gl_sink(t, &g->sync);
        if (--g->inside == 0) {
            gl_sync_free(s->core, &g->sync);
            if (o->open == g)
                o->open = NULL;
            gl_lock_take(&s->lock, &s->env);
            g->next_free = s->free_generations;
            s->free_generations = g;
            gl_lock_drop(&s->lock);
        }
        return GL_OK;
    }
    return GL_INVALID;
}

/* ---- data ---- */

/* The bytes `mask` of one word; as gl_access(), to which all accesses come here. */
static inline int access_word(struct gl_thread *t, struct cell *c, uint32_t mask, unsigned kind, uint32_t site,
                              struct gl_race *race)
{
    return gl_access(t, (struct gl_cell){&c->word, &c->sites}, mask, kind, site, race);
}

/* One access of `size` bytes, word by word; *bytes collects the racing ones (bit 0: byte `base`). */
static gl_status access_bytes(struct gl_state *s, struct gl_thread *t, uint64_t addr, uint32_t size, unsigned kind,
                              uint32_t site, uint64_t base, struct gl_race *race, uint64_t *bytes)
{
    for (uint64_t a = addr; a < addr + size;) {
        uint32_t first = a & 3, n = 4 - first;
        if (n > addr + size - a)
            n = (uint32_t)(addr + size - a);
        struct cell *c = cell_at(s, a);
        if (!c)
            return table_missing(a >> 2);
        struct gl_race r;
        int raced = access_word(t, c, ((1u << n) - 1) << first, kind, site, &r);
        if (raced < 0)
            return GL_NOMEM;
        if (raced > 0) {
            if (!*bytes && race)
                *race = r;
            *bytes |= (uint64_t)((uint32_t)raced >> first) << (a - base);
        }
        a += n;
    }
    return GL_OK;
}

static gl_status do_access(struct gl_state *s, struct gl_thread *t, const struct gl_event *e, unsigned kind,
                           struct gl_race *race)
{
    if (e->object > UINT64_MAX - e->size)
        return GL_LIMIT;
    uint64_t bytes = 0;
    gl_status status = access_bytes(s, t, e->object, e->size, kind, e->site, e->object, race, &bytes);
    if (status != GL_OK || !bytes)
        return status;
    if (race) {
        race->object = e->object;
        race->bytes = bytes;
    }
    return GL_RACE;
}

static gl_status do_alloc(struct gl_state *s, const struct gl_event *e)
{
    if (e->object > UINT64_MAX - e->size)
        return GL_LIMIT;
    for (uint64_t a = e->object; a < e->object + e->size;) {
        uint32_t first = a & 3, n = 4 - first;
        if (n > e->object + e->size - a)
            n = (uint32_t)(e->object + e->size - a);
        struct cell *c = cell_at(s, a);
        if (!c)
            return table_missing(a >> 2);
        gl_cell_fresh(s->core, (struct gl_cell){&c->word, &c->sites}, ((1u << n) - 1) << first);
        a += n;
    }
    return GL_OK;
}

/* commit: t |= TX_x for x in R and W; the accesses; TX_x |= t */
static gl_status do_commit(struct gl_state *s, struct gl_thread *t, const struct gl_event *e, struct gl_race *race)
{
    uint32_t total = e->n_reads + e->n_writes;
    uint64_t bytes = 0;
    gl_status status = GL_OK;
    for (int pass = 0; pass < 3; pass++)
        for (uint32_t i = 0; i < total && status == GL_OK; i++) {
            bool write = i >= e->n_reads;
            uint64_t addr = write ? e->writes[i - e->n_reads] : e->reads[i];
            if (pass == 1) {
                uint64_t raced = 0;
                struct gl_race *fill = bytes ? NULL : race;
                status = access_bytes(s, t, addr, 1, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, e->site, addr, fill, &raced);
                if (raced && i < 64)
                    bytes |= 1ull << i;
                continue;
            }
            struct object *o = object_at(s, &s->transactions, addr);
            if (!o)
                return table_missing(addr);
            gl_lock_take(&o->lock, &s->env);
            if (pass == 0)
                gl_sink(t, &o->sync);
            else
                gl_source(t, &o->sync, false, 0);
            gl_lock_drop(&o->lock);
        }
    if (status != GL_OK || !bytes)
        return status;
    if (race) {
        race->object = e->object;
        race->bytes = bytes;
    }
    return GL_RACE;
}

/* ---- everything else: one object, under its lock ---- */

static gl_status do_mutex(struct gl_thread *t, struct gl_mutex *m, enum gl_op op)
{
    switch (op) {
    case GL_OP_ACQ:
        gl_mutex_acquired(t, m, 0);
        return gl_held_find(t, m->serial) ? GL_OK : GL_NOMEM;
    case GL_OP_REL:
        return gl_mutex_releasing(t, m) ? GL_OK : GL_INVALID;
    case GL_OP_CWAIT_BEGIN: {
        /* the depth waits in the entry of a lock that cannot be held: its own serial, not exclusive */
        uint32_t depth = gl_mutex_wait_begin(t, m);
        if (!depth)
            return GL_INVALID;
        if (depth == 1)
            return GL_OK;
        if (!gl_held_push(t, UINT32_MAX - m->serial, false, 0))
            return GL_NOMEM;
        t->held[t->n_held - 1].depth = depth;
        return GL_OK;
    }
    default: {
        struct gl_held *h = gl_held_find(t, UINT32_MAX - m->serial);
        uint32_t depth = h ? h->depth : 1;
        if (h)
            gl_held_drop(t, UINT32_MAX - m->serial);
        gl_mutex_wait_end(t, m, depth, 0);
        return gl_held_find(t, m->serial) ? GL_OK : GL_NOMEM;
    }
    }
}

static gl_status do_rwlock(struct gl_thread *t, struct gl_rwlock *l, enum gl_op op)
{
    struct gl_held *h = l->serial ? gl_held_find(t, l->serial) : NULL;
    if ((op == GL_OP_RDUNLOCK && (!h || h->exclusive)) || (op == GL_OP_WRUNLOCK && (!h || !h->exclusive)))
        return GL_INVALID;
    if (op == GL_OP_RDLOCK)
        gl_rwlock_read_acquired(t, l, 0);
    else if (op == GL_OP_RDUNLOCK)
        gl_rwlock_read_releasing(t, l);
    else if (op == GL_OP_WRLOCK)
        gl_rwlock_write_acquired(t, l, 0);
    else
        gl_rwlock_write_releasing(t, l);
    if ((op == GL_OP_RDLOCK || op == GL_OP_WRLOCK) && !gl_held_find(t, l->serial))
        return GL_NOMEM; /* the unlock would not be believed, and its source be lost */
    return GL_OK;
}

/* acquire side, access, release side */
static gl_status do_atomic(struct gl_state *s, struct gl_thread *t, struct gl_sync *a, const struct gl_event *e,
                           struct gl_race *race)
{
    if (e->op != GL_OP_STORE)
        gl_atomic_acquire_part(t, a, e->order);
    unsigned kind = GL_ACCESS_ATOMIC | (e->op == GL_OP_LOAD ? GL_ACCESS_READ : GL_ACCESS_WRITE);
    gl_status status = e->size ? do_access(s, t, e, kind, race) : GL_OK;
    if (e->op == GL_OP_STORE)
        gl_atomic_store_part(t, a, e->order);
    else if (e->op == GL_OP_RMW)
        gl_atomic_rmw_part(t, a, e->order);
    return status;
}

static gl_status do_object(struct gl_state *s, struct thread *th, struct gl_thread *t, const struct gl_event *e,
                           struct gl_race *race)
{
    struct table *tab;
    switch (gl_op_class(e->op)) {
    case GL_CLASS_MUTEX: tab = &s->mutexes; break;
    case GL_CLASS_RWLOCK: tab = &s->rwlocks; break;
    case GL_CLASS_VOLATILE: tab = &s->volatiles; break;
    case GL_CLASS_ATOMIC: tab = &s->atomics; break;
    case GL_CLASS_BARRIER: tab = &s->barriers; break;
    case GL_CLASS_SEMAPHORE: tab = &s->semaphores; break;
    default: return GL_INVALID;
    }
    struct object *o = object_at(s, tab, e->object);
    if (!o)
        return table_missing(e->object);
    gl_status status = GL_OK;
    gl_lock_take(&o->lock, &s->env);
    switch (e->op) {
    case GL_OP_VOLREAD:
    case GL_OP_WAIT: gl_sink(t, &o->sync); break;
    case GL_OP_VOLWRITE:
    case GL_OP_POST: gl_source(t, &o->sync, false, 0); break;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW: status = do_atomic(s, t, &o->sync, e, race); break;
    case GL_OP_BAR_IN: status = bar_in(s, th, t, o, e->object); break;
    case GL_OP_BAR_OUT: status = bar_out(s, th, t, o, e->object); break;
    case GL_OP_RDLOCK:
    case GL_OP_RDUNLOCK:
    case GL_OP_WRLOCK:
    case GL_OP_WRUNLOCK: status = do_rwlock(t, &o->rwlock, e->op); break;
    default: status = do_mutex(t, &o->mutex, e->op); break;
    }
    gl_lock_drop(&o->lock);
    return status;
}

/* What no event of its kind can be, before anything is done for it. */
static bool is_possible(const struct gl_event *e)
{
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE: return e->size >= 1 && e->size <= 64;
    case GL_OP_LOAD:
    case GL_OP_STORE:
    case GL_OP_RMW: return e->size <= 16;
    case GL_OP_COMMIT: return (e->reads || !e->n_reads) && (e->writes || !e->n_writes);
    default: return true;
    }
}

static gl_status event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    if (!is_possible(e))
        return GL_INVALID;
    struct thread *th = thread_at(s, e->thread);
    if (!th)
        return table_missing(e->thread);
    struct gl_thread *t = thread_now(s, th, e->thread);
    if (!t)
        return gl_load_acquire(&th->ended) ? GL_INVALID : GL_NOMEM;
    switch (e->op) {
    case GL_OP_READ: return do_access(s, t, e, GL_ACCESS_READ, race);
    case GL_OP_WRITE:
    case GL_OP_FREE: return do_access(s, t, e, GL_ACCESS_WRITE, race);
    case GL_OP_ALLOC: return do_alloc(s, e);
    case GL_OP_COMMIT: return do_commit(s, t, e, race);
    case GL_OP_FORK: return do_fork(s, t, e->object);
    case GL_OP_JOIN: return do_join(s, t, e->object);
    case GL_OP_BEGIN: return GL_OK;
    case GL_OP_END:
        gl_lock_take(&s->lock, &s->env);
        thread_end(th);
        gl_lock_drop(&s->lock);
        return GL_OK;
    case GL_OP_FENCE:
        gl_fence(t, e->order);
        return GL_OK;
    default: return do_object(s, th, t, e, race);
    }
}

static gl_status event_slow(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    if (gl_core_stopped(s->core))
        return GL_NOMEM;
    gl_status status = event(s, e, race);
    /* An access may be dropped; a lost synchronization or allocation would make later races false. */
    if (status == GL_NOMEM && e->op != GL_OP_READ && e->op != GL_OP_WRITE && e->op != GL_OP_FREE)
        gl_core_stop(s->core);
    return status;
}

/* As gl_before(), of which it is the first steps: in a trace, where threads take turns and come back to the same data late, what a
 * segment stands for is found sooner than a cache of segments. */
static inline bool before_direct(struct gl_thread *t, uint32_t id)
{
    if (__builtin_expect(id < GL_GROUP_FIRST, 1)) {
        const struct gl_batch *b = gl_batch_of(&t->core->segments, id);
        if (b->slot == t->slot) {
            gl_count(t, GL_COUNT_rule_own_thread);
            return true;
        }
        if (t->core->slots > t->core->many)
            return gl_ordered(t, id);
        const struct gl_hint *h = &t->hints[b->slot & t->hint_mask];
        if (h->slot == b->slot && h->epoch >= gl_segment_epoch(b, id)) {
            gl_count(t, GL_COUNT_rule_hint);
            return true;
        }
    }
    return gl_before(t, id);
}

static inline bool known_direct(struct gl_thread *t, uint32_t id)
{
    if (__builtin_expect(id < GL_GROUP_FIRST, 1) && gl_batch_of(&t->core->segments, id)->slot == t->slot) {
        gl_count(t, GL_COUNT_rule_own_thread);
        return true;
    }
    return gl_before_known(t, id);
}

/* A plain access by the only caller there is: no cell is locked.  False: not that simple. */
static inline bool access_alone(struct gl_thread *t, struct cell *c, uint32_t mask, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, mask);
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, need = ~0xFu | mask;
    /* Seen in this segment, and nothing else in the cell conflicts: gl_access() would find the same, also after a race. */
    bool seen = ((w ^ mine) & need) == 0 ? !write || !r || (r ^ mine) <= 0xF
                                         : !write && ((r ^ mine) & need) == 0 && (!w || (w ^ mine) <= 0xF);
    if (!seen && !gl_access_alone_by(t, (struct gl_cell){&c->word, &c->sites}, mine, write, site, before_direct, known_direct))
        return false;
    t->count[write ? GL_COUNT_writes : GL_COUNT_reads]++;
    t->count[seen ? GL_COUNT_rule_same_segment : GL_COUNT_quick]++;
    return true;
}

/* What most events are: a plain access within one word that is in the table, by a thread that runs.  False: nothing was
 * done, and event_slow() does the same for any event.  alone: the caller has no other threads. */
static inline bool event_quick(struct gl_state *s, const struct gl_event *e, bool alone, struct gl_race *race,
                               gl_status *status)
{
    uint32_t first = e->object & 3;
    uint64_t word = e->object >> 2;
    if (e->op > GL_OP_WRITE || e->size - 1 >= 4 - first || word >= (uint64_t)LEAF * LEAVES ||
        e->thread >= (uint64_t)LEAF * LEAVES)
        return false;
    struct thread *threads = (struct thread *)table_find(&s->threads, e->thread);
    struct cell *cells = (struct cell *)table_find(&s->cells, word);
    if (!threads || !cells || gl_core_stopped(s->core))
        return false;
    struct gl_thread *t = gl_load_acquire(&threads[e->thread % LEAF].core); /* pairs with thread_now(), do_fork() */
    if (!t)
        return false;
    uint32_t mask = ((1u << e->size) - 1) << first;
    *status = GL_OK;
    if (alone && access_alone(t, &cells[word % LEAF], mask, e->op == GL_OP_WRITE, e->site))
        return true;
    int raced = access_word(t, &cells[word % LEAF], mask, e->op == GL_OP_WRITE ? GL_ACCESS_WRITE : GL_ACCESS_READ, e->site, race);
    *status = raced == 0 ? GL_OK : raced < 0 ? GL_NOMEM : GL_RACE;
    if (raced > 0 && race) {
        race->object = e->object;
        race->bytes = (uint32_t)raced >> first;
    }
    return true;
}

static gl_status goldilocks_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    gl_status status;
    return event_quick(s, e, false, race, &status) ? status : event_slow(s, e, race);
}

/* Is a half, as the caller found it, that of no access or of one plain access to the whole word (or of a group of them)?  Tags of
 * the cell have the bit of atomic accesses. */
static inline bool is_whole(uint32_t half) { return !half || (half & (GL_HALF_ATOMIC | 0xF)) == 0xF; }

/* What most accesses of a trace are: plain, of a whole word, on a cell that holds nothing but the same.  access_alone() is the slow twin.
 * False: nothing was done. */
static inline bool access_whole(struct gl_thread *t, struct cell *c, bool write, uint32_t site)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, mine = gl_half(t->segment, 0, 0xF);
    if (!t->segment || !is_whole(w) || !is_whole(r) || (w && w != mine && !before_direct(t, gl_half_segment(w))))
        return false;
    if (!write) {
        t->count[GL_COUNT_reads]++;
        if (r == mine || w == mine) { /* recorded, or covered by the thread's own write: see access_alone() */
            t->count[GL_COUNT_rule_same_segment]++;
            return true;
        }
        if (r && !known_direct(t, gl_half_segment(r))) {
            t->count[GL_COUNT_reads]--;
            return false;
        }
        gl_store_relaxed(&c->word, (uint64_t)w << 32 | mine);
    } else {
        if (r && r != mine && !before_direct(t, gl_half_segment(r)))
            return false;
        t->count[GL_COUNT_writes]++;
        if (w == mine && (!r || r == mine)) {
            t->count[GL_COUNT_rule_same_segment]++;
            return true;
        }
        gl_store_relaxed(&c->word, (uint64_t)mine << 32);
    }
    t->count[GL_COUNT_quick]++;
    gl_site_store(gl_site_half(&c->sites, write), site);
    return true;
}

/* How many events before its access a cell is fetched; and, with many threads, what its thread needs to judge it. */
#define AHEAD 16
#define AHEAD_THREAD 8

static inline struct cell *cell_find(struct gl_state *s, uint64_t word)
{
    struct cell *cells = word < (uint64_t)LEAF * LEAVES ? (struct cell *)table_find(&s->cells, word) : NULL;
    return cells ? cells + word % LEAF : NULL;
}

static inline struct gl_thread *thread_find(struct gl_state *s, uint32_t number)
{
    struct thread *threads = number < (uint64_t)LEAF * LEAVES ? (struct thread *)table_find(&s->threads, number) : NULL;
    return threads ? gl_load_acquire(&threads[number % LEAF].core) : NULL; /* pairs with thread_now(), do_fork() */
}

/* What the access will look at beside its cell, which has been fetched. */
static inline void fetch_more(struct gl_state *s, const struct gl_event *e)
{
    struct gl_thread *t = thread_find(s, e->thread);
    struct cell *c = cell_find(s, e->object >> 2);
    if (!t || !c)
        return;
    uint32_t id = (uint32_t)(gl_load_relaxed(&c->word) >> (32 + GL_HALF_SHIFT)); /* relaxed: only the caller is there */
    __builtin_prefetch(&t->core);
    __builtin_prefetch(&t->count);
    if (id - 1 < GL_GROUP_FIRST - 1) {
        __builtin_prefetch(gl_segment_lock(&s->core->segments, id));
        __builtin_prefetch(gl_batch_of(&s->core->segments, id));
    }
}

static size_t goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race,
                                gl_status *status)
{
    struct cell *near[AHEAD]; /* of the event at hand and the next ones; of another kind of event it is in vain, and does no harm */
    struct gl_thread *t = NULL;
    uint64_t number = UINT64_MAX; /* t's, while that is known: only event_slow() can change it */
    bool crowd = s->core->slots > s->core->many, /* what belongs to threads is rarely in a near cache then */ stopped = gl_core_stopped(s->core);
    for (size_t i = 0; i < n && i < AHEAD; i++)
        near[i] = cell_find(s, e[i].object >> 2);
    *status = GL_OK;
    size_t i = 0;
    do {
        struct cell *c = near[i % AHEAD];
        if (i + AHEAD < n) {
            __builtin_prefetch(near[i % AHEAD] = cell_find(s, e[i + AHEAD].object >> 2), 1);
            if (crowd && e[i + AHEAD_THREAD].op <= GL_OP_WRITE)
                fetch_more(s, &e[i + AHEAD_THREAD]);
        }
        if (e[i].op <= GL_OP_WRITE && e[i].size == 4 && !(e[i].object & 3) && !stopped) {
            if (e[i].thread != number) {
                t = thread_find(s, e[i].thread);
                number = e[i].thread;
            }
            if (t && c && access_whole(t, c, e[i].op == GL_OP_WRITE, e[i].site))
                continue;
        }
        if (event_quick(s, &e[i], true, race, status))
            continue;
        *status = event_slow(s, &e[i], race);
        number = UINT64_MAX;
        stopped = gl_core_stopped(s->core);
    } while (++i < n && *status == GL_OK);
    return i;
}

static void goldilocks_counts(const struct gl_state *s, gl_count_fn *fn, void *ctx)
{
    gl_core_counts(s->core, fn, ctx);
}

static const struct gl_switch switches[] = {
    {"groups-at-once", false, "several accesses to a cell become a group (core/group.h) the first time, not when they recur"},
    {"as-with-many", false, "what is usual with more than 128 threads is done with fewer too (core/column.h: walks)"},
    {"lock-at-once", false, "a lock held alone is told by the segment when it is taken, as the native runtime does (docs/concurrency.md, E.1)"},
    {NULL, false, NULL},
};

static void goldilocks_set(struct gl_state *s, const char *name, bool on)
{
    if (name[0] == 'g')
        gl_core_group_at_once(s->core, on);
    else if (name[0] == 'l')
        s->lock_at_once = on;
    else
        gl_core_as_with_many(s->core, on);
}

const struct gl_detector gl_detector_goldilocks = {
    .size = sizeof(struct gl_detector),
    .name = "goldilocks",
    .can = GL_CAN_PRECISE | GL_CAN_CONCUR,
    .sentence = "the engine: implicit Goldilocksets, evaluated lazily along the list of synchronization events",
    .create = goldilocks_create,
    .destroy = goldilocks_destroy,
    .event = goldilocks_event,
    .events = goldilocks_events,
    .counts = goldilocks_counts,
    .switches = switches,
    .set = goldilocks_set,
};
