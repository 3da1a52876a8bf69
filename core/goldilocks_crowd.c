/* SPDX-License-Identifier: Apache-2.0
 *
 * Many events of a trace with many threads: they take turns, of which most are short, and what belongs to one is rarely in a near cache when its
 * turn comes.  So what events need is fetched before they come.
 */
#include "core/goldilocks_turn.h"

/* How many events before its access a cell is fetched; and what its thread needs to judge it, and the locks
 * under which the other's segment ended. */
#define AHEAD 16
#define AHEAD_THREAD 8
#define AHEAD_LOCKS 4
_Static_assert(AHEAD_THREAD < AHEAD && AHEAD_LOCKS < AHEAD, "cells are fetched before them");

/* With many threads, what belongs to one is rarely in a near cache: what the events before it need not wait for.  A cell of another kind
 * of event is looked at in vain, which does no harm. */
static inline GL_HOT void fetch_thread(struct gl_state *s, uint32_t number)
{
    struct gl_thread *t = thread_find(s, number);
    if (!t)
        return;
    __builtin_prefetch(&t->core);
    __builtin_prefetch(&t->key);
    __builtin_prefetch(&t->held_few);
}

/* What an acquire of a mutex will look at: see gl_sink(). */
static inline GL_HOT void fetch_sink(struct gl_state *s, const struct gl_event *e)
{
    struct gl_thread *t = thread_find(s, e->thread);
    const struct object *o = object_find(&s->mutexes, e->object);
    if (!t || !o)
        return;
    const struct gl_sync *sync = &o->mutex.sync;
    __builtin_prefetch(&t->seen[sync->node % GL_SEEN], 1);
    __builtin_prefetch(&t->hints[(sync->own - 1) & t->hint_mask], 1);
}

/* What is known of the events to come, found once for each: their cells, and the segments that they will ask about. */
struct ahead {
    const struct gl_event *last; /* the last event there is */
    uint32_t at;                 /* place of the next event; those of the events after it follow, modulo AHEAD */
    bool segments_known;         /* with many threads: there is a first segment */
    struct cell *cell[AHEAD];    /* nobodys: there is none; of another event than an access: some cell */
    uint32_t segment[AHEAD];     /* with many threads: another's that wrote the cell last, or ANY */
    struct cell nobodys;
};
#define ANY GL_SEGMENT_CHUNK /* the first id of all */

static inline struct cell *ahead_cell(const struct ahead *a) { return a->cell[a->at]; }

static inline GL_HOT void find_cell(struct gl_state *s, struct ahead *a, uint32_t at, const struct gl_event *e)
{
    uint64_t word = (e->object >> 2) % ((uint64_t)LEAF * LEAVES);
    struct cell *cells = (struct cell *)(void *)table_find(&s->cells, word), *c = cells ? cells + word % LEAF : &a->nobodys;
    __builtin_prefetch(c, 1);
    a->cell[at] = c;
}

/* The segment that wrote a cell last, unless the event's own thread did; ANY if there is none.  (Selected: to branch on it would cost more than to
 * fetch in vain.)  Fetches what says under which locks it ended; or the record of what many read. */
static inline GL_HOT void find_segment(struct gl_state *s, struct ahead *a, uint32_t at, const struct gl_event *e)
{
    struct gl_segments *segments = &s->core->segments;
    uint64_t word = gl_load_relaxed(&a->cell[at]->word); /* relaxed: only the caller is there */
    uint32_t id = gl_half_segment((uint32_t)(word >> 32));
    id = ANY ^ ((id ^ ANY) & -(uint32_t)(id - 1 < GL_GROUP_FIRST - 1));
    id = ANY ^ ((id ^ ANY) & -(uint32_t)(gl_batch_listed(segments, id)->uid != e->thread));
    a->segment[at] = id;
    __builtin_prefetch(gl_segment_lock(segments, id));
    if (__builtin_expect(word >> 32 == GL_CELL_SIDE, 0))
        __builtin_prefetch(gl_side_at(&s->core->sides, gl_cell_side(word)), 1);
}

/* The list of the segment's locks, if it is one of serials; else list 0, which is none. */
static inline GL_HOT void fetch_locks(struct gl_state *s, const struct ahead *a, uint32_t at)
{
    uint32_t locks = gl_load_relaxed(gl_segment_lock(&s->core->segments, a->segment[at])); /* relaxed: to fetch, not to judge */
    uint32_t listed = -(uint32_t)((locks & GL_LOCKS_LISTED) == GL_LOCKS_MANY);
    __builtin_prefetch(gl_list_at(&s->core->lists, locks & listed & ~GL_LOCKS_MANY));
}

/* With many locks each is cold when it is acquired. */
static inline GL_HOT void fetch_mutex(struct gl_state *s, const struct gl_event *e)
{
    const struct object *o = e->op == GL_OP_ACQ ? object_find(&s->mutexes, e->object) : NULL;
    if (o)
        __builtin_prefetch(&o->mutex.serial, 1);
}

/* After event e, the next one: what the events after it will look at. */
static inline GL_HOT void look_ahead(struct gl_state *s, struct ahead *a, const struct gl_event *e)
{
    uint32_t at = a->at;
    const struct gl_event *far = e + AHEAD < a->last ? e + AHEAD : a->last;
    find_cell(s, a, at, far);
    fetch_mutex(s, far);
    a->at = (at + 1) % AHEAD;
    if (!a->segments_known || e + AHEAD_THREAD > a->last)
        return;
    if (e[AHEAD_THREAD].thread != e[AHEAD_THREAD - 1].thread)
        fetch_thread(s, e[AHEAD_THREAD].thread);
    if (e[AHEAD_LOCKS].op == GL_OP_ACQ)
        fetch_sink(s, &e[AHEAD_LOCKS]);
    find_segment(s, a, (at + AHEAD_THREAD) % AHEAD, &e[AHEAD_THREAD]);
    fetch_locks(s, a, (at + AHEAD_LOCKS) % AHEAD);
}

/* Before the first of n > 0 events. */
static inline void ahead_begin(struct gl_state *s, struct ahead *a, const struct gl_event *e, size_t n)
{
    a->last = e + n - 1;
    a->at = 0;
    a->segments_known = gl_load_relaxed(&s->core->segments.chunk[ANY / GL_SEGMENT_CHUNK]); /* relaxed: nobody else is there */
    a->nobodys = (struct cell){0, 0};
    for (uint32_t i = 0; i < AHEAD; i++) {
        a->segment[i] = ANY;
        find_cell(s, a, i, e + (i < n ? i : n - 1));
        fetch_mutex(s, e + (i < n ? i : n - 1));
    }
    if (!a->segments_known || n < AHEAD_THREAD)
        return;
    for (uint32_t i = 0; i < AHEAD_THREAD; i++)
        find_segment(s, a, i, e + i);
    for (uint32_t i = 0; i < AHEAD_LOCKS; i++)
        fetch_locks(s, a, i);
}

static inline GL_HOT void turn_begin(struct turn *now, struct gl_thread *t, uint32_t number)
{
    now->t = t;
    now->number = number;
    now->mine = t ? half_now(t) : 0;
}

/* The accesses of one turn, up to the first event that is none or not that simple.  Returns where that is. */
static __attribute__((noinline)) const struct gl_event *turn_run(struct gl_state *s, const struct turn *turn, struct tally *tally,
                                                                 struct ahead *ahead, const struct gl_event *e)
{
    struct gl_segments *segments = &s->core->segments;
    struct turn now = *turn; /* in registers, as far as there are any */
    struct tally n = {0};
    const struct gl_event *from = e, *last = ahead->last;
    for (; e <= last && !(not_whole(e) | (e->thread ^ now.number)); e++) {
        struct cell *c = ahead_cell(ahead);
        if (c == &ahead->nobodys || !access_whole(&now, &n, segments, c, &ahead->nobodys, e->op, e->site, true))
            break;
        look_ahead(s, ahead, e);
    }
    tally->all += (uint64_t)(e - from);
    tally->near += n.near;
    tally->writes += n.writes;
    tally->fresh += n.fresh;
    tally->same_other += n.same_other;
    return e;
}

size_t gl_goldilocks_crowd(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    const struct gl_event *const begin = e, *const end = e + n;
    struct turn now = {.number = UINT64_MAX};
    struct tally tally = {0};
    struct ahead ahead;
    ahead_begin(s, &ahead, e, n);
    s->core->horizons = false;
    gl_store_relaxed(&s->lanes_stale, true); /* relaxed: there is one caller */
    *status = GL_OK;
    while (e < end) {
        if (e->thread != now.number)
            turn_begin(&now, thread_find(s, e->thread), e->thread);
        if (!now.mine && now.t && !not_whole(e) && cell_find(s, e->object >> 2) && gl_segment_begin(now.t)) /* as in event_few() */
            now.mine = half_now(now.t);
        if (now.mine) {
            const struct gl_event *from = e;
            e = turn_run(s, &now, &tally, &ahead, e);
            if (e > from)
                continue;
        }
        look_ahead(s, &ahead, e);
        struct object *o = now.t && (e->op | 1) == GL_OP_REL ? object_find(&s->mutexes, e->object) : NULL;
        if (o)
            *status = gl_goldilocks_mutex(s, now.t, &o->mutex, e->op == GL_OP_REL);
        else if (!gl_goldilocks_quick(s, e, race, status))
            *status = gl_goldilocks_any(s, e, race);
        e++;
        if (*status != GL_OK || stopped(s) || !is_crowd(s))
            break;
        turn_begin(&now, o ? now.t : thread_find(s, e[-1].thread), e[-1].thread); /* it may have ended, or another segment may have begun */
    }
    tally_count(s->core, &tally, true);
    return (size_t)(e - begin);
}
