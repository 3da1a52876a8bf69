/* SPDX-License-Identifier: Apache-2.0
 *
 * See synclist.h.
 */
#include "peers/synclist.h"

#include <string.h>

bool gl_synclist_begin(struct gl_synclist *l)
{
    l->head = l->tail = gl_pool_take(l->pool, sizeof *l->head);
    if (l->tail)
        l->tail->number = 1;
    l->set.now = 1;
    return l->tail;
}

/* A new element; 0: no memory.  There is always room for all of them in the set. */
static uint32_t new_element(struct gl_synclist *l)
{
    struct gl_set *s = &l->set;
    uint32_t *mark = gl_pool_grow(l->pool, s->mark, sizeof *mark, &s->capacity, l->elements + 2);
    if (!mark)
        return 0;
    s->mark = mark;
    uint32_t *member = gl_pool_grow(l->pool, s->member, sizeof *member, &s->member_capacity, l->elements + 2);
    if (!member)
        return 0;
    s->member = member;
    return ++l->elements;
}

static bool have(struct gl_synclist *l, uint32_t *element)
{
    return *element || (*element = new_element(l));
}

static uint32_t element_of(struct gl_synclist *l, struct gl_map *m, uint64_t key)
{
    uint32_t known = (uint32_t)gl_map_find(m, key);
    if (known)
        return known;
    uint32_t fresh = new_element(l);
    return fresh && gl_map_add(m, l->pool, key, fresh) ? fresh : 0;
}

enum edge { MERGE = 0, REPLACE = 1, MAY_GO = 2 };

/* Handle-Action, lines 2 to 5: fills the tail, and appends an empty cell. */
static bool append(struct gl_synclist *l, struct gl_actor *t, uint32_t from, uint32_t to, unsigned edge)
{
    struct gl_cell *next = from && to ? gl_pool_take(l->pool, sizeof *next) : NULL;
    if (!next)
        return false;
    struct gl_cell *c = l->tail;
    c->from = from;
    c->to = to;
    c->replaces = edge & REPLACE;
    c->may_go = edge & MAY_GO;
    c->own_before = t->last;
    c->own_before_number = t->last_number;
    t->last = c;
    t->last_number = c->number;
    next->number = c->number + 1;
    l->tail = c->next = next;
    l->length++;
    l->appended++;
    return true;
}

/* All edges between a thread and the bytes of a transaction. */
static bool bytes_edges(struct gl_synclist *l, const struct gl_event *e, struct gl_actor *t, bool into_thread)
{
    for (uint64_t i = 0; i < (uint64_t)e->n_reads + e->n_writes; i++) {
        uint32_t x = element_of(l, &l->bytes, i < e->n_reads ? e->reads[i] : e->writes[i - e->n_reads]);
        if (!append(l, t, into_thread ? x : t->element, into_thread ? t->element : x, MERGE))
            return false;
    }
    return true;
}

/* The edges of an event that end in its thread, before its accesses.  False: as gl_synclist_sources(). */
static bool sinks(struct gl_synclist *l, const struct gl_event *e, const struct gl_step *step)
{
    struct gl_actor *t = step->actor;
    struct gl_lock *k = step->lock;
    switch (e->op) {
    case GL_OP_ACQ:
    case GL_OP_CWAIT_END:
    case GL_OP_RDLOCK:
        return !step->outermost || (have(l, &k->element) && append(l, t, k->element, t->element, MERGE));
    case GL_OP_WRLOCK:
        return have(l, &k->element) && have(l, &k->element_read) && append(l, t, k->element, t->element, MERGE) &&
               append(l, t, k->element_read, t->element, MERGE);
    case GL_OP_VOLREAD:
        return append(l, t, element_of(l, &l->volatiles, e->object), t->element, MERGE);
    case GL_OP_LOAD:
    case GL_OP_RMW:
        if (gl_order_acquires(e->order))
            return append(l, t, element_of(l, &l->atomics, e->object), t->element, MAY_GO);
        return have(l, &t->fence_acquire) &&
               append(l, t, element_of(l, &l->atomics, e->object), t->fence_acquire, MAY_GO);
    case GL_OP_FENCE:
        return !gl_order_acquires(e->order) ||
               (have(l, &t->fence_acquire) && append(l, t, t->fence_acquire, t->element, MERGE));
    case GL_OP_BAR_OUT:
        return append(l, t, step->generation->element, t->element, MAY_GO);
    case GL_OP_WAIT:
        return append(l, t, element_of(l, &l->semaphores, e->object), t->element, MERGE);
    case GL_OP_JOIN:
        return have(l, &step->other->element) && append(l, t, step->other->element, t->element, MERGE);
    case GL_OP_COMMIT:
        return !gl_event_does(e, GL_COMMIT_BEGIN) || bytes_edges(l, e, t, true);
    default:
        return true;
    }
}

bool gl_synclist_sources(struct gl_synclist *l, const struct gl_event *e, const struct gl_step *step)
{
    struct gl_actor *t = step->actor;
    struct gl_lock *k = step->lock;
    switch (e->op) {
    case GL_OP_REL:
    case GL_OP_CWAIT_BEGIN:
    case GL_OP_WRUNLOCK:
        return !step->outermost || (have(l, &k->element) && append(l, t, t->element, k->element, MERGE));
    case GL_OP_RDUNLOCK:
        return have(l, &k->element_read) && append(l, t, t->element, k->element_read, MERGE);
    case GL_OP_VOLWRITE:
        return append(l, t, t->element, element_of(l, &l->volatiles, e->object), MERGE);
    case GL_OP_STORE:
    case GL_OP_RMW: {
        unsigned edge = e->op == GL_OP_STORE ? REPLACE | MAY_GO : MAY_GO;
        if (gl_order_releases(e->order))
            return append(l, t, t->element, element_of(l, &l->atomics, e->object), edge);
        return have(l, &t->fence_release) &&
               append(l, t, t->fence_release, element_of(l, &l->atomics, e->object), edge);
    }
    case GL_OP_FENCE:
        return !gl_order_releases(e->order) ||
               (have(l, &t->fence_release) && append(l, t, t->element, t->fence_release, MERGE));
    case GL_OP_BAR_IN:
        return have(l, &step->generation->element) &&
               append(l, t, t->element, step->generation->element, step->first_in ? REPLACE | MAY_GO : MAY_GO);
    case GL_OP_POST:
        return append(l, t, t->element, element_of(l, &l->semaphores, e->object), MERGE);
    case GL_OP_FORK:
        return have(l, &step->other->element) && append(l, t, t->element, step->other->element, MERGE);
    case GL_OP_COMMIT:
        return !gl_event_does(e, GL_COMMIT_END) || bytes_edges(l, e, t, false);
    default:
        return true;
    }
}

gl_status gl_synclist_event(struct gl_synclist *l, struct gl_holds *h, const struct gl_event *e, struct gl_step *step)
{
    gl_status status = gl_holds_event(h, e, step);
    if (status == GL_INVALID)
        return status;
    return status == GL_OK && have(l, &step->actor->element) && sinks(l, e, step) ? GL_OK : GL_NOMEM;
}

void gl_synclist_collect(struct gl_synclist *l)
{
    while (l->head != l->tail && !l->head->refs) {
        struct gl_cell *c = l->head;
        l->head = c->next;
        l->length--;
        gl_pool_give(l->pool, c, sizeof *c);
    }
}

void gl_set_clear(struct gl_synclist *l)
{
    struct gl_set *s = &l->set;
    if (++s->now > UINT32_MAX / 2 - 1) { /* marks of 2^31 sets ago would come back to life */
        memset(s->mark, 0, s->capacity * sizeof *s->mark);
        s->now = 1;
    }
    s->n = 0;
}

bool gl_set_reaches(struct gl_synclist *l, const struct gl_cell *c, uint32_t element)
{
    bool in = gl_set_has(l, element);
    for (; !in && c != l->tail; c = c->next) {
        gl_set_apply(l, c);
        in = gl_set_has(l, element); /* threads never leave a set: once in is in */
    }
    return in;
}
