/* SPDX-License-Identifier: Apache-2.0
 *
 * The constructs, see construct.h.
 */
#include "core/sync_inl.h"

/* ---- mutex: acquire t |= l; release l := t, bump ---- */

void gl_mutex_acquired(struct gl_thread *t, struct gl_mutex *m, uint32_t cookie) { (void)gl_mutex_acquired_inl(t, m, cookie, false); }

bool gl_mutex_releasing(struct gl_thread *t, struct gl_mutex *m) { return gl_mutex_releasing_inl(t, m, false); }

void gl_mutex_releasing_alone(struct gl_thread *t, struct gl_mutex *m)
{
    if (!m->serial)
        m->serial = gl_lock_serial(t->core);
    gl_source(t, &m->sync, true, m->serial);
    t->again_held = t->n_held;
}

uint32_t gl_mutex_wait_begin(struct gl_thread *t, struct gl_mutex *m)
{
    struct gl_held *h = m->serial ? gl_held_find(t, m->serial) : NULL;
    uint32_t depth = h ? h->depth : 0;
    gl_source(t, &m->sync, h != NULL, h ? m->serial : 0);
    t->again_held = UINT32_MAX; /* somebody else is wanted */
    if (h)
        gl_held_drop(t, m->serial);
    return depth;
}

void gl_mutex_wait_end(struct gl_thread *t, struct gl_mutex *m, uint32_t depth, uint32_t cookie)
{
    gl_sink(t, &m->sync);
    if (!depth)
        return;
    (void)gl_hold_inl(t, &m->serial, true, cookie);
    struct gl_held *h = gl_held_find(t, m->serial);
    if (h)
        h->depth = depth;
}

void gl_mutex_free(struct gl_core *core, struct gl_mutex *m)
{
    gl_sync_free(core, &m->sync);
    m->serial = 0;
    m->handed = false;
}

/* ---- reader-writer lock: rdlock t |= w; rdunlock r |= t, bump; wrlock t |= w, t |= r; wrunlock w := t, bump ---- */

void gl_rwlock_read_acquired(struct gl_thread *t, struct gl_rwlock *l, uint32_t cookie)
{
    gl_sink(t, &l->written);
    (void)gl_hold_inl(t, &l->serial, false, cookie);
}

void gl_rwlock_read_releasing(struct gl_thread *t, struct gl_rwlock *l)
{
    gl_source(t, &l->read, false, 0);
    gl_held_drop(t, l->serial);
}

void gl_rwlock_write_acquired(struct gl_thread *t, struct gl_rwlock *l, uint32_t cookie)
{
    gl_sink(t, &l->written);
    gl_sink(t, &l->read);
    (void)gl_hold_inl(t, &l->serial, true, cookie);
}

void gl_rwlock_write_releasing(struct gl_thread *t, struct gl_rwlock *l)
{
    gl_source(t, &l->written, true, l->serial);
    gl_held_drop(t, l->serial);
}

void gl_rwlock_free(struct gl_core *core, struct gl_rwlock *l)
{
    gl_sync_free(core, &l->written);
    gl_sync_free(core, &l->read);
    l->serial = 0;
}

/* ---- atomics ---- */

/* acquire t |= a; relaxed A_t |= a, claimed by a later acquire fence */
void gl_atomic_acquire_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order)
{
    if (gl_order_acquires(order))
        gl_sink(t, a);
    else
        gl_transfer(t, &t->fence_acquire, a, false);
}

/* release a := t, bump; relaxed a := F_t.  Either cuts the release sequence. */
void gl_atomic_store_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order)
{
    if (gl_order_releases(order))
        gl_source(t, a, true, 0);
    else
        gl_transfer(t, a, &t->fence_release, true);
}

/* release a |= t, bump; relaxed a |= F_t.  Either continues the release sequence. */
void gl_atomic_rmw_part(struct gl_thread *t, struct gl_sync *a, enum gl_order order)
{
    if (gl_order_releases(order))
        gl_source(t, a, false, 0);
    else
        gl_transfer(t, a, &t->fence_release, false);
}

/* acquire t |= A_t; release F_t := t, bump */
void gl_fence(struct gl_thread *t, enum gl_order order)
{
    if (gl_order_acquires(order)) {
        gl_sink(t, &t->fence_acquire);
        t->fence_acquire.version = 0; /* taken in whole: empty again */
        t->fence_acquire.own = 0;
    }
    if (gl_order_releases(order))
        gl_source(t, &t->fence_release, true, 0);
}
