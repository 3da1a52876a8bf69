/* SPDX-License-Identifier: Apache-2.0
 *
 * See holds.h.  The conditions are the sentences of core/event.h.
 */
#include "peers/holds.h"

enum { FORKED = 1, BEGUN = 2, ENDED = 4 }; /* gl_actor.life; 0: only mentioned so far */

struct gl_barrier {
    struct gl_generation *present; /* the latest one opened */
    struct gl_generation *spare;   /* left by everybody */
};

static void *at(uint64_t value) { return (void *)(uintptr_t)value; }

/* The thing under a key, made (zeroed) when it is new; NULL: no memory. */
static void *get(struct gl_holds *h, struct gl_map *m, uint64_t key, size_t bytes, bool *is_new)
{
    void *thing = at(gl_map_find(m, key));
    *is_new = !thing;
    if (thing)
        return thing;
    thing = gl_pool_take(h->pool, bytes);
    return thing && gl_map_add(m, h->pool, key, (uintptr_t)thing) ? thing : NULL;
}

static struct gl_actor *get_actor(struct gl_holds *h, uint32_t number)
{
    bool is_new;
    struct gl_actor *t = get(h, &h->threads, number, sizeof *t, &is_new);
    if (t && is_new)
        t->number = number;
    return t;
}

static struct gl_lock *get_lock(struct gl_holds *h, uint64_t object, bool is_rwlock)
{
    bool is_new;
    struct gl_lock *l = get(h, is_rwlock ? &h->rwlocks : &h->mutexes, object, sizeof *l, &is_new);
    if (l && is_new) {
        l->object = object;
        l->is_rwlock = is_rwlock;
        l->number = ++h->locks;
    }
    return l;
}

static struct gl_hold *find(const struct gl_actor *t, enum gl_hold_kind kind, const void *what)
{
    for (uint32_t i = t->n; i-- > 0;)
        if (t->hold[i].kind == kind && t->hold[i].what == what)
            return &t->hold[i];
    return NULL;
}

static bool push(struct gl_holds *h, struct gl_actor *t, struct gl_hold hold)
{
    struct gl_hold *grown = gl_pool_grow(h->pool, t->hold, sizeof *grown, &t->capacity, t->n + 1);
    if (!grown)
        return false;
    t->hold = grown;
    t->hold[t->n++] = hold;
    t->changes++;
    return true;
}

static void remove_hold(struct gl_actor *t, struct gl_hold *x)
{
    for (t->n--; x < t->hold + t->n; x++)
        *x = x[1];
    t->changes++;
}

struct gl_lock *gl_holds_latest(const struct gl_actor *t)
{
    for (uint32_t i = t->n; i-- > 0;)
        if (t->hold[i].kind == GL_HOLD_MUTEX || t->hold[i].kind == GL_HOLD_WRITE)
            return t->hold[i].what;
    return NULL;
}

/* ---- can it happen? ---- */

static bool lock_op_is_possible(const struct gl_holds *h, const struct gl_event *e)
{
    static const struct gl_lock never;
    const struct gl_actor *t = at(gl_map_find(&h->threads, e->thread));
    bool is_rwlock = gl_op_class(e->op) == GL_CLASS_RWLOCK;
    const struct gl_lock *l = at(gl_map_find(is_rwlock ? &h->rwlocks : &h->mutexes, e->object));
    if (!l)
        l = &never;
    bool mine = l->depth && l->holder == e->thread;
    switch (e->op) {
    case GL_OP_ACQ:
    case GL_OP_RDLOCK:      return !l->depth || mine;
    case GL_OP_CWAIT_END:   return !l->depth && t && find(t, GL_HOLD_WAIT, l);
    case GL_OP_RDUNLOCK:    return t && find(t, GL_HOLD_READ, l);
    case GL_OP_WRLOCK:      return !l->depth && !l->readers;
    default:                return mine; /* REL, CWAIT_BEGIN, WRUNLOCK */
    }
}

static bool is_possible(const struct gl_holds *h, const struct gl_event *e)
{
    const struct gl_actor *t = at(gl_map_find(&h->threads, e->thread));
    if (t && t->life & ENDED)
        return false;
    switch (gl_op_class(e->op)) {
    case GL_CLASS_DATA:        return e->op == GL_OP_ALLOC || (e->size >= 1 && e->size <= 64);
    case GL_CLASS_ATOMIC:      return e->size <= 16;
    case GL_CLASS_MUTEX:
    case GL_CLASS_RWLOCK:      return lock_op_is_possible(h, e);
    case GL_CLASS_TRANSACTION: return (!e->n_reads || e->reads) && (!e->n_writes || e->writes);
    case GL_CLASS_BARRIER: {
        const void *b = at(gl_map_find(&h->barriers, e->object));
        return (b && t && find(t, GL_HOLD_BARRIER, b)) == (e->op == GL_OP_BAR_OUT);
    }
    case GL_CLASS_THREAD: {
        const struct gl_actor *other = e->object <= UINT32_MAX ? at(gl_map_find(&h->threads, e->object)) : NULL;
        bool known = other && other->life;
        if (e->object == e->thread || e->object > UINT32_MAX)
            return false;
        return e->op == GL_OP_FORK ? e->object != 0 && !known : e->object == 0 || known;
    }
    default:                   return e->op != GL_OP_BEGIN || !t || !(t->life & BEGUN);
    }
}

/* ---- make it happen ---- */

static bool lock_op(struct gl_holds *h, const struct gl_event *e, struct gl_step *step)
{
    struct gl_actor *t = step->actor;
    struct gl_lock *l = step->lock = get_lock(h, e->object, gl_op_class(e->op) == GL_CLASS_RWLOCK);
    struct gl_hold *x;
    step->outermost = true;
    if (!l)
        return false;
    switch (e->op) {
    case GL_OP_ACQ:
    case GL_OP_WRLOCK:
        l->holder = t->number;
        if (l->depth++ == 0)
            return push(h, t, (struct gl_hold){e->op == GL_OP_ACQ ? GL_HOLD_MUTEX : GL_HOLD_WRITE, 1, l, NULL});
        step->outermost = false;
        return true;
    case GL_OP_REL:
    case GL_OP_WRUNLOCK:
        if (--l->depth == 0)
            remove_hold(t, find(t, e->op == GL_OP_REL ? GL_HOLD_MUTEX : GL_HOLD_WRITE, l));
        step->outermost = l->depth == 0;
        return true;
    case GL_OP_CWAIT_BEGIN:
        if ((x = find(t, GL_HOLD_WAIT, l)))
            remove_hold(t, x); /* an earlier wait that never returned */
        x = find(t, GL_HOLD_MUTEX, l);
        x->kind = GL_HOLD_WAIT;
        x->depth = l->depth;
        l->depth = 0;
        t->changes++;
        return true;
    case GL_OP_CWAIT_END:
        x = find(t, GL_HOLD_WAIT, l);
        l->holder = t->number;
        l->depth = x->depth;
        remove_hold(t, x);
        return push(h, t, (struct gl_hold){GL_HOLD_MUTEX, 1, l, NULL});
    case GL_OP_RDLOCK:
        l->readers++;
        if ((x = find(t, GL_HOLD_READ, l))) {
            x->depth++;
            step->outermost = false;
            return true;
        }
        return push(h, t, (struct gl_hold){GL_HOLD_READ, 1, l, NULL});
    default: /* GL_OP_RDUNLOCK */
        l->readers--;
        x = find(t, GL_HOLD_READ, l);
        step->outermost = --x->depth == 0;
        if (step->outermost)
            remove_hold(t, x);
        return true;
    }
}

static struct gl_generation *open_generation(struct gl_holds *h, struct gl_barrier *b)
{
    struct gl_generation *g = b->present;
    if (!g || g->inside) {
        if ((g = b->spare))
            b->spare = g->spare;
        else if (!(g = gl_pool_take(h->pool, sizeof *g)))
            return NULL;
    }
    g->closed = false;
    return b->present = g;
}

static bool barrier_op(struct gl_holds *h, const struct gl_event *e, struct gl_step *step)
{
    bool is_new;
    struct gl_barrier *b = get(h, &h->barriers, e->object, sizeof *b, &is_new);
    if (!b)
        return false;
    if (e->op == GL_OP_BAR_IN) {
        step->first_in = !b->present || b->present->closed;
        struct gl_generation *g = step->generation = step->first_in ? open_generation(h, b) : b->present;
        if (!g)
            return false;
        g->inside++;
        return push(h, step->actor, (struct gl_hold){GL_HOLD_BARRIER, 1, b, g});
    }
    struct gl_hold *x = find(step->actor, GL_HOLD_BARRIER, b);
    struct gl_generation *g = step->generation = x->generation;
    remove_hold(step->actor, x);
    g->inside--;
    if (g == b->present) {
        g->closed = true;
    } else if (!g->inside) {
        g->spare = b->spare;
        b->spare = g;
    }
    return true;
}

gl_status gl_holds_event(struct gl_holds *h, const struct gl_event *e, struct gl_step *step)
{
    if ((unsigned)e->op >= GL_OP_COUNT || !is_possible(h, e))
        return GL_INVALID;
    struct gl_actor *t = h->latest && h->latest->number == e->thread ? h->latest : get_actor(h, e->thread);
    if (!t)
        return GL_NOMEM;
    *step = (struct gl_step){.actor = t};
    h->latest = t;
    t->life |= BEGUN;
    bool done = true;
    switch (gl_op_class(e->op)) {
    case GL_CLASS_MUTEX:
    case GL_CLASS_RWLOCK:  done = lock_op(h, e, step); break;
    case GL_CLASS_BARRIER: done = barrier_op(h, e, step); break;
    case GL_CLASS_THREAD:
        if ((done = (step->other = get_actor(h, (uint32_t)e->object)) != NULL))
            step->other->life |= e->op == GL_OP_FORK ? FORKED : ENDED;
        break;
    default:
        if (e->op == GL_OP_END)
            t->life |= ENDED;
    }
    return done ? GL_OK : GL_NOMEM;
}
