/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of model.h.
 */
#include "tests/support/model.h"

#include <string.h>

#include "tests/support/check.h"

void model_reset(struct model *m)
{
    memset(m->thread, 0, sizeof m->thread);
    m->objects = 0;
    m->thread[0].known = true;
}

bool model_runs(const struct model *m, uint32_t thread)
{
    const struct model_thread *t = &m->thread[thread];
    return !t->ended && !t->in_wait && !t->in_barrier;
}

static struct model_object *object_of(struct model *m, enum gl_class class, uint64_t object)
{
    for (uint32_t i = 0; i < m->objects; i++)
        if (m->object[i].class == class && m->object[i].object == object)
            return &m->object[i];
    check(m->objects < MODEL_OBJECTS, "too many objects for the model");
    struct model_object *x = &m->object[m->objects++];
    memset(x, 0, sizeof *x);
    x->class = class;
    x->object = object;
    x->owner = -1;
    if (class == GL_CLASS_SEMAPHORE)
        x->count = MODEL_POSTS(object);
    return x;
}

static bool mutex_step(struct model *m, struct model_thread *t, const struct gl_event *e)
{
    struct model_object *x = object_of(m, GL_CLASS_MUTEX, e->object);
    int self = (int)e->thread;
    switch (e->op) {
    case GL_OP_ACQ:
        if (x->owner != -1 && x->owner != self)
            return false;
        t->holds += x->owner == -1;
        x->owner = self;
        x->count++;
        return true;
    case GL_OP_REL:
        if (x->owner != self)
            return false;
        if (--x->count == 0) {
            x->owner = -1;
            t->holds--;
        }
        return true;
    case GL_OP_CWAIT_BEGIN:
        if (x->owner != self)
            return false;
        x->of[self] = (uint8_t)x->count;
        x->count = 0;
        x->owner = -1;
        t->holds--;
        t->in_wait = true;
        t->blocked_on = e->object;
        return true;
    default: /* GL_OP_CWAIT_END */
        if (!t->in_wait || t->blocked_on != e->object || x->owner != -1)
            return false;
        x->owner = self;
        x->count = x->of[self];
        t->holds++;
        t->in_wait = false;
        return true;
    }
}

static bool rwlock_step(struct model *m, struct model_thread *t, const struct gl_event *e)
{
    struct model_object *x = object_of(m, GL_CLASS_RWLOCK, e->object);
    int self = (int)e->thread;
    switch (e->op) {
    case GL_OP_RDLOCK:
        if (x->owner != -1)
            return false;
        x->count++;
        x->of[self]++;
        t->holds++;
        return true;
    case GL_OP_RDUNLOCK:
        if (!x->of[self])
            return false;
        x->count--;
        x->of[self]--;
        t->holds--;
        return true;
    case GL_OP_WRLOCK:
        if (x->owner != -1 || x->count)
            return false;
        x->owner = self;
        t->holds++;
        return true;
    default: /* GL_OP_WRUNLOCK */
        if (x->owner != self)
            return false;
        x->owner = -1;
        t->holds--;
        return true;
    }
}

static bool fork_join_step(struct model *m, const struct gl_event *e)
{
    if (e->object >= MODEL_THREADS || e->object == e->thread)
        return false;
    struct model_thread *u = &m->thread[e->object];
    if (e->op == GL_OP_FORK) {
        if (u->known)
            return false;
        u->known = true;
        return true;
    }
    if (!u->known || u->in_wait || u->in_barrier)
        return false;
    u->ended = true;
    return true;
}

static bool other_step(struct model *m, struct model_thread *t, const struct gl_event *e)
{
    struct model_object *x;
    switch (e->op) {
    case GL_OP_READ:
    case GL_OP_WRITE:
    case GL_OP_FREE:
        return e->size >= 1 && e->size <= 64;
    case GL_OP_LOAD:
        return e->size <= 16 && e->order != GL_REL && e->order != GL_AR;
    case GL_OP_STORE:
        return e->size <= 16 && e->order != GL_ACQ && e->order != GL_AR;
    case GL_OP_RMW:
        return e->size <= 16;
    case GL_OP_BAR_IN:
        t->in_barrier = true;
        t->blocked_on = e->object;
        return true;
    case GL_OP_POST:
        object_of(m, GL_CLASS_SEMAPHORE, e->object)->count++;
        return true;
    case GL_OP_WAIT:
        x = object_of(m, GL_CLASS_SEMAPHORE, e->object);
        if (x->count == 0)
            return false;
        x->count--;
        return true;
    case GL_OP_FORK:
    case GL_OP_JOIN:
        return fork_join_step(m, e);
    case GL_OP_BEGIN:
        return !t->begun;
    case GL_OP_END:
        t->ended = true;
        return true;
    case GL_OP_COMMIT:
        return e->n_reads + e->n_writes >= 1;
    default:
        return true;
    }
}

bool model_step(struct model *m, const struct gl_event *e)
{
    if (e->thread >= MODEL_THREADS)
        return false;
    struct model_thread *t = &m->thread[e->thread];
    bool happens;
    if (t->ended) {
        happens = false;
    } else if (t->in_wait) {
        happens = e->op == GL_OP_CWAIT_END && mutex_step(m, t, e);
    } else if (t->in_barrier) {
        happens = e->op == GL_OP_BAR_OUT && t->blocked_on == e->object;
        t->in_barrier = !happens;
    } else {
        switch (e->op) {
        case GL_OP_ACQ:
        case GL_OP_REL:
        case GL_OP_CWAIT_BEGIN:
            happens = mutex_step(m, t, e);
            break;
        case GL_OP_RDLOCK:
        case GL_OP_RDUNLOCK:
        case GL_OP_WRLOCK:
        case GL_OP_WRUNLOCK:
            happens = rwlock_step(m, t, e);
            break;
        case GL_OP_CWAIT_END:
        case GL_OP_BAR_OUT:
            happens = false;
            break;
        default:
            happens = other_step(m, t, e);
        }
    }
    if (happens)
        t->known = t->begun = true;
    return happens;
}
