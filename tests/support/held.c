/* SPDX-License-Identifier: Apache-2.0
 *
 * See held.h.
 */
#include "tests/support/held.h"

#include <string.h>

#include "tests/support/check.h"

void held_reset(struct held *h) { memset(h, 0, sizeof *h); }

static unsigned number_of(struct held *h, enum gl_class class, uint64_t object)
{
    for (unsigned i = 0; i < h->locks; i++)
        if (h->name[i].class == class && h->name[i].object == object)
            return i;
    check(h->locks < HELD_LOCKS, "more locks in one execution than HELD_LOCKS");
    h->name[h->locks].class = class;
    h->name[h->locks].object = object;
    return h->locks++;
}

static void take(struct held_thread *t, unsigned lock, unsigned depth)
{
    if (t->depth[lock] == 0)
        t->exclusive[t->n++] = (unsigned char)lock;
    t->depth[lock] = (unsigned char)(t->depth[lock] + depth);
}

static void give(struct held_thread *t, unsigned lock, unsigned depth)
{
    t->depth[lock] = (unsigned char)(t->depth[lock] - depth);
    if (t->depth[lock] > 0)
        return;
    unsigned i = 0;
    while (t->exclusive[i] != lock)
        i++;
    memmove(&t->exclusive[i], &t->exclusive[i + 1], --t->n - i);
}

void held_step(struct held *h, const struct gl_event *e)
{
    enum gl_class class = gl_op_class(e->op);
    if (class != GL_CLASS_MUTEX && class != GL_CLASS_RWLOCK)
        return;
    check(e->thread < MODEL_THREADS, "more threads than MODEL_THREADS");
    struct held_thread *t = &h->of[e->thread];
    unsigned lock = number_of(h, class, e->object);
    switch (e->op) {
    case GL_OP_ACQ:
    case GL_OP_WRLOCK:      take(t, lock, 1); break;
    case GL_OP_REL:
    case GL_OP_WRUNLOCK:    give(t, lock, 1); break;
    case GL_OP_CWAIT_BEGIN: t->waits[lock] = t->depth[lock], give(t, lock, t->depth[lock]); break;
    case GL_OP_CWAIT_END:   take(t, lock, t->waits[lock]), t->waits[lock] = 0; break;
    case GL_OP_RDLOCK:      t->reads[lock]++; break;
    default:                t->reads[lock]--; break; /* GL_OP_RDUNLOCK */
    }
}

uint64_t held_mask(const struct held *h, uint32_t thread, bool reads)
{
    uint64_t mask = 0;
    for (unsigned i = 0; i < h->locks; i++)
        if (h->of[thread].depth[i] || (reads && h->of[thread].reads[i]))
            mask |= (uint64_t)1 << i;
    return mask;
}

int held_latest(const struct held *h, uint32_t thread)
{
    const struct held_thread *t = &h->of[thread];
    return t->n ? t->exclusive[t->n - 1] : -1;
}
