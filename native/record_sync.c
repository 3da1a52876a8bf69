/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks and plain edges as events of a trace.
 *
 * A trace must be possible: one holder of a mutex, who alone gives it up.  Programs do what POSIX calls undefined: a
 * thread unlocks what another locked, or ends with a lock held.  Then the recorded holder is recorded as giving the lock up,
 * and who unlocked as having had it for a moment.  That may order more than happened, never less.
 */
#include "native/record.h"

/* After a fork the objects of the parent begin anew. */
static void renew(struct rt_recorded *r)
{
    if (r->session != rt_recorder.session)
        *r = (struct rt_recorded){.session = rt_recorder.session};
}

/* The recorded holder no longer is one. */
static void holder_leaves(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, enum gl_op op)
{
    for (; r->holder && r->depth; r->depth--)
        rt_record_object(t, op, r, addr, r->holder == t->tid + 1 ? 0 : r->holder, 0);
    r->holder = r->depth = 0;
}

/* ---- mutexes and spin locks ---- */

void rt_record_acquired(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uint32_t depth, uintptr_t pc)
{
    if (!rt.recording)
        return;
    renew(r);
    if (r->holder != t->tid + 1)
        holder_leaves(t, r, addr, GL_OP_REL);
    r->holder = t->tid + 1;
    for (; depth; depth--, r->depth++)
        rt_record_object(t, GL_OP_ACQ, r, addr, 0, pc);
}

/* Before a release by a thread that does not hold it. */
static void take_for_a_moment(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uintptr_t pc)
{
    if (r->holder != t->tid + 1)
        rt_record_acquired(t, r, addr, 1, pc);
}

void rt_record_releasing(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uintptr_t pc)
{
    if (!rt.recording)
        return;
    renew(r);
    take_for_a_moment(t, r, addr, pc);
    rt_record_object(t, GL_OP_REL, r, addr, 0, pc);
    if (--r->depth == 0)
        r->holder = 0;
}

void rt_record_given_up(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, uintptr_t pc)
{
    if (!rt.recording)
        return;
    renew(r);
    take_for_a_moment(t, r, addr, pc);
    for (; r->depth; r->depth--)
        rt_record_object(t, GL_OP_REL, r, addr, 0, pc);
    r->holder = 0;
}

/* ---- reader-writer locks ---- */

void rt_record_rwlock_acquired(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, bool write, uintptr_t pc)
{
    if (!rt.recording)
        return;
    renew(r);
    holder_leaves(t, r, addr, GL_OP_WRUNLOCK);
    rt_record_object(t, write ? GL_OP_WRLOCK : GL_OP_RDLOCK, r, addr, 0, pc);
    if (write) {
        r->holder = t->tid + 1;
        r->depth = 1;
    }
}

void rt_record_rwlock_releasing(struct rt_thread *t, struct rt_recorded *r, uintptr_t addr, bool reads, uintptr_t pc)
{
    if (!rt.recording)
        return;
    renew(r);
    if (r->holder == t->tid + 1) {
        rt_record_object(t, GL_OP_WRUNLOCK, r, addr, 0, pc);
        r->holder = r->depth = 0;
        return;
    }
    if (!reads) /* it is not known to hold it */
        rt_record_rwlock_acquired(t, r, addr, false, pc);
    rt_record_object(t, GL_OP_RDUNLOCK, r, addr, 0, pc);
}

/* ---- plain edges ---- */

void rt_record_edge(struct rt_thread *t, enum gl_op op, struct rt_recorded *r, enum rt_kind kind, uintptr_t addr,
                    uintptr_t pc)
{
    if (!rt.recording)
        return;
    if (kind == RT_ATOMIC) { /* the guard of a static: its first byte is read by atomic loads */
        bool post = op == GL_OP_POST;
        rt_record_atomic(t, post ? GL_OP_RMW : GL_OP_LOAD, post ? GL_REL : GL_ACQ, addr, 1, pc);
        return;
    }
    renew(r);
    rt_record_object(t, op, r, addr, 0, pc);
}
