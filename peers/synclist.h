/* SPDX-License-Identifier: Apache-2.0
 *
 * The synchronization list of the technical report's Fig. 3, and its Apply-Lockset-Rules: what the two detectors
 * goldilocks-2006 and goldilocks-2006-fixed share.  One caller at a time.
 *
 * Members of Goldilocksets (threads, locks, volatiles ...) are numbers, called elements.  Fig. 1's rules 2 to 7 are one
 * rule, "a set that holds `from` gets `to`": so a cell holds these two in place of the report's action, and an
 * action with several edges is several cells:
 *
 *     rel(l)       t -> l          acq(l)       l -> t       (outermost ones of a nest; a condition wait is both)
 *     volwrite(v)  t -> v          volread(v)   v -> t
 *     fork(u)      t -> u          join(u)      u -> t       (terminate(t) needs no cell: u is an element)
 *
 * and for the constructs that the report does not have
 *
 *     wrunlock(x)  t -> w          rdlock(x)    w -> t                   w: what writers gave up
 *     rdunlock(x)  t -> r          wrlock(x)    w -> t, r -> t           r: what readers gave up
 *     st.rel(a)    t => a          ld.acq(a)    a -> t       "=>": all other sets lose a (a store ends the
 *     st.rlx(a)    F_t => a        ld.rlx(a)    a -> A_t      release sequences of its object)
 *     rmw          a -> t or A_t, then t -> a or F_t -> a
 *     fence        A_t -> t (acquire), t -> F_t (release)
 *     post(s)      t -> s          wait(s)      s -> t
 *     bar_in(b)    t -> g          bar_out(b)   g -> t       g: an element per generation that somebody is in; the
 *                                                            first bar_in of one is t => g, since g was used before
 *     commit       x -> t for each byte x, the accesses, t -> x for each byte x
 */
#ifndef GL_PEERS_SYNCLIST_H
#define GL_PEERS_SYNCLIST_H

#include "peers/holds.h"

struct gl_cell {
    struct gl_cell *next;
    uint64_t number; /* 1, 2 ... in the order of the list */
    uint32_t from, to;
    uint32_t refs;   /* positions that point here: Garbage-Collect-Cells needs no more */
    bool replaces;   /* sets without `from` lose `to` */
    bool may_go;     /* `from` or `to` is an element that can leave a set */
    struct gl_cell *own_before;  /* the thread's cell before this one; to be used only if its number tells */
    uint64_t own_before_number;  /* that it is still in the list (0: none) */
};

/* A Goldilockset that exists for a moment. */
struct gl_set {
    uint32_t *mark;   /* by element: 2 * now + 1: in; 2 * now: was in, and is listed */
    uint32_t *member; /* listed elements, each once */
    uint32_t now, n, capacity, member_capacity;
};

struct gl_synclist {
    struct gl_pool *pool;
    struct gl_cell *head, *tail; /* tail: the empty cell that the next action will fill */
    uint64_t length;             /* cells between them */
    uint64_t appended, walked;   /* for the counts */
    uint32_t elements;           /* numbers given out: 1, 2 ... */
    struct gl_map volatiles, atomics, semaphores, bytes;
    struct gl_set set;
};

/* Zero-initialised but for `pool`.  False: no memory. */
bool gl_synclist_begin(struct gl_synclist *l);

/* What an event begins with: it is checked and made (gl_holds_event()), its thread has an element, and its sinks are in
 * the list.  GL_INVALID: it cannot happen, and nothing changed.  GL_NOMEM: nothing that follows can be trusted. */
gl_status gl_synclist_event(struct gl_synclist *l, struct gl_holds *h, const struct gl_event *e, struct gl_step *step);

/* The edges of an event that start in its thread (after its accesses; those that end there come before them).  False: memory
 * ran out in between, and nothing that follows from the list can be trusted. */
bool gl_synclist_sources(struct gl_synclist *l, const struct gl_event *e, const struct gl_step *step);

/* Garbage-Collect-Cells: drops cells from the head that no position points to. */
void gl_synclist_collect(struct gl_synclist *l);

/* ---- one Goldilockset at a time, in l->set ---- */

void gl_set_clear(struct gl_synclist *l);

static inline bool gl_set_has(const struct gl_synclist *l, uint32_t element)
{
    return l->set.mark[element] == 2 * l->set.now + 1;
}

static inline void gl_set_add(struct gl_synclist *l, uint32_t element)
{
    struct gl_set *s = &l->set;
    if (s->mark[element] < 2 * s->now)
        s->member[s->n++] = element;
    s->mark[element] = 2 * s->now + 1;
}

/* The rule of one cell. */
static inline void gl_set_apply(struct gl_synclist *l, const struct gl_cell *c)
{
    l->walked++;
    if (gl_set_has(l, c->from))
        gl_set_add(l, c->to);
    else if (c->replaces && gl_set_has(l, c->to))
        l->set.mark[c->to] = 2 * l->set.now;
}

/* Apply-Lockset-Rules: the rules of the cells from `c` up to the tail, until `element` is in.  Is it? */
bool gl_set_reaches(struct gl_synclist *l, const struct gl_cell *c, uint32_t element);

#endif
