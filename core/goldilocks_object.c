/* SPDX-License-Identifier: Apache-2.0
 *
 * Mutexes, rwlocks, volatiles, atomics, barriers and semaphores behind the detector interface: one object at a time, under its lock.
 */
#include "core/goldilocks_state.h"
#include "core/sync_inl.h"

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

/* ---- the others ---- */

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

gl_status gl_goldilocks_mutex(struct gl_state *s, struct gl_thread *t, struct gl_mutex *m, bool release)
{
    if (release)
        return gl_mutex_releasing_inl(t, m, true) ? GL_OK : GL_INVALID;
    if (gl_mutex_acquired_inl(t, m, 0, true))
        return GL_OK;
    gl_core_stop(s->core); /* as gl_goldilocks_any() */
    return GL_NOMEM;
}

static gl_status do_rwlock(struct gl_thread *t, struct gl_rwlock *l, enum gl_op op)
{
    struct gl_held *h = l->serial ? gl_held_find(t, l->serial) : NULL;
    uint32_t held = t->n_held; /* a thread may hold one lock for reading more than once */
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
    if ((op == GL_OP_RDLOCK || op == GL_OP_WRLOCK) && t->n_held == held)
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
    gl_status status = e->size ? gl_goldilocks_access(s, t, e, kind, race) : GL_OK;
    if (e->op == GL_OP_STORE)
        gl_atomic_store_part(t, a, e->order);
    else if (e->op == GL_OP_RMW)
        gl_atomic_rmw_part(t, a, e->order);
    return status;
}

gl_status gl_goldilocks_object(struct gl_state *s, struct thread *th, struct gl_thread *t, const struct gl_event *e,
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
