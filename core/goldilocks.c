/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine behind the detector interface: event numbers to the core's objects, constructs to
 * sources and sinks.  Here any event is taken, one at a time; what most are is known sooner, in goldilocks_quick.c.
 */
#include "core/goldilocks_state.h"
#include "core/sweep.h"

#ifdef GL_MUTANTS
enum gl_mutant gl_mutant;
#endif

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
    s->lanes_stale = true; /* all zeroes is no lane */
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
    gl_store_release(&th->core, t); /* pairs with the load above, event_quick(), thread_find(), do_join() */
    return t;
}

static void thread_end(struct thread *th)
{
    struct gl_thread *t = gl_load_acquire(&th->core);
    if (!t)
        return;
    gl_store_relaxed(&th->core, NULL);
    gl_store_release(&th->ended, true); /* pairs with thread_now(), do_join(), event() */
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
    if (c) {
        c->lock_at_once = s->lock_at_once;
        if (s->core->horizons)
            gl_horizon_begin(s, c, t);
    }
    gl_store_release(&th->core, c); /* pairs with thread_now(), event_quick(), thread_find() */
    return c ? GL_OK : GL_NOMEM;
}

static gl_status do_join(struct gl_state *s, struct gl_thread *t, uint64_t child)
{
    struct thread *th = thread_at(s, child);
    if (!th)
        return table_missing(child);
    if (gl_load_acquire(&th->core) == t) /* pairs with thread_now(), and `ended`, here and below, with thread_end() */
        return GL_INVALID;
    if (child == 0 && !thread_now(s, th, 0) && !gl_load_acquire(&th->ended)) /* it exists from the start, with or without events */
        return GL_NOMEM;
    gl_lock_take(&s->lock, &s->env); /* two joiners of one thread: it ends once */
    thread_end(th);
    bool known = gl_load_acquire(&th->ended);
    if (known)
        gl_sink_end(t, &th->end);
    gl_lock_drop(&s->lock);
    return known ? GL_OK : GL_INVALID;
}

/* ---- data ---- */

void gl_goldilocks_sweep(struct gl_state *s)
{
    struct gl_sweep *sweep = gl_sweep_begin(s->core);
    if (!sweep) {
        gl_core_sweep_put_off(s->core);
        return;
    }
    uint64_t cells = 0;
    for (uint32_t i = 0, leaves = gl_load_relaxed(&s->cells.used); i < leaves; i++) { /* relaxed, here and below: nobody else is there */
        const struct cell *c = (const struct cell *)(const void *)gl_load_relaxed(&s->cells.leaf[i]);
        for (uint32_t k = 0; c && k < LEAF; k++)
            gl_sweep_word(sweep, gl_load_relaxed(&c[k].word));
        cells += c ? LEAF : 0;
    }
    gl_sweep_end(sweep, cells);
    gl_horizons_forget(s);
    gl_store_relaxed(&s->lanes_stale, true); /* relaxed: nobody else is there */
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
        if (__builtin_expect(s->fold_at_once, 0))
            gl_cell_fold(t, (struct gl_cell){&c->word, &c->sites});
        if (raced > 0) {
            if (!*bytes && race)
                *race = r;
            *bytes |= (uint64_t)((uint32_t)raced >> first) << (a - base);
        }
        a += n;
    }
    return GL_OK;
}

gl_status gl_goldilocks_access(struct gl_state *s, struct gl_thread *t, const struct gl_event *e, unsigned kind,
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
        uint64_t word = a >> 2;
        if (word >= (uint64_t)LEAF * LEAVES)
            return GL_LIMIT;
        struct cell *cells = (struct cell *)(void *)table_find(&s->cells, word);
        if (!cells) { /* nothing was accessed there: nothing is to be forgotten, however much it is */
            a = (word / LEAF + 1) * LEAF * 4;
            continue;
        }
        uint32_t first = a & 3, n = 4 - first;
        if (n > e->object + e->size - a)
            n = (uint32_t)(e->object + e->size - a);
        struct cell *c = cells + word % LEAF;
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
    bool races = false;
    gl_status status = GL_OK;
    for (int pass = GL_COMMIT_BEGIN; pass <= GL_COMMIT_END; pass++)
        for (uint32_t i = 0; i < total && status == GL_OK && gl_event_does(e, (enum gl_commit_part)pass); i++) {
            bool write = i >= e->n_reads;
            uint64_t addr = write ? e->writes[i - e->n_reads] : e->reads[i];
            if (pass == GL_COMMIT_ACCESS) {
                uint64_t raced = 0;
                struct gl_race *fill = races ? NULL : race;
                status = access_bytes(s, t, addr, 1, write ? GL_ACCESS_WRITE : GL_ACCESS_READ, e->site, addr, fill, &raced);
                races |= raced != 0;
                if (raced && i < 64)
                    bytes |= 1ull << i;
                continue;
            }
            struct object *o = object_at(s, &s->transactions, addr);
            if (!o)
                return table_missing(addr);
            gl_lock_take(&o->lock, &s->env);
            if (pass == GL_COMMIT_BEGIN)
                gl_sink(t, &o->sync);
            else
                gl_source(t, &o->sync, false, 0);
            gl_lock_drop(&o->lock);
        }
    if (status != GL_OK || !races)
        return status;
    if (race) {
        race->object = e->object;
        race->bytes = bytes;
    }
    return GL_RACE;
}

/* ---- events ---- */

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
        return gl_load_acquire(&th->ended) ? GL_INVALID : GL_NOMEM; /* pairs with thread_end() */
    switch (e->op) {
    case GL_OP_READ: return gl_goldilocks_access(s, t, e, GL_ACCESS_READ, race);
    case GL_OP_WRITE:
    case GL_OP_FREE: return gl_goldilocks_access(s, t, e, GL_ACCESS_WRITE, race);
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
    default: return gl_goldilocks_object(s, th, t, e, race);
    }
}

gl_status gl_goldilocks_any(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    if (gl_core_stopped(s->core))
        return GL_NOMEM;
    gl_status status = event(s, e, race);
    /* An access may be dropped; a lost synchronization or allocation would make later races false. */
    if (status == GL_NOMEM && e->op != GL_OP_READ && e->op != GL_OP_WRITE && e->op != GL_OP_FREE)
        gl_core_stop(s->core);
    /* Checking has stopped in this event: it may be the last one, so that no other would say so. */
    return status == GL_OK && gl_core_stopped(s->core) ? GL_NOMEM : status;
}

static void goldilocks_counts(const struct gl_state *s, gl_count_fn *fn, void *ctx)
{
    gl_core_counts(s->core, fn, ctx);
}

static const struct gl_switch switches[] = {
    {"groups-at-once", false, "several accesses to a cell become a group (core/group.h) the first time, not when they recur"},
    {"fold-at-once", false, "a side record becomes a word after each access, not when it was found again often (core/cell.h: gl_cell_fold())"},
    {"as-with-many", false, "what is usual with more than 128 threads is done with fewer too (core/column.h: walks)"},
    {"lock-at-once", false, "a lock held alone is told by the segment when it is taken, as the native runtime does (docs/concurrency.md, E.1)"},
    {"sweep-at-once", false, "ids of segments are looked for and used again after each, not when it pays (core/sweep.h)"},
    {NULL, false, NULL},
};

static void goldilocks_set(struct gl_state *s, const char *name, bool on)
{
    if (name[0] == 'g')
        gl_core_group_at_once(s->core, on);
    else if (name[0] == 'f')
        s->fold_at_once = on;
    else if (name[0] == 'l')
        s->lock_at_once = on;
    else if (name[0] == 's')
        gl_core_sweep_every(s->core, on, 0);
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
    .event = gl_goldilocks_event,
    .events = gl_goldilocks_events,
    .counts = goldilocks_counts,
    .switches = switches,
    .set = goldilocks_set,
};
