/* SPDX-License-Identifier: Apache-2.0
 *
 * Many events of a trace with few threads.  Each thread has a lane, which says all that most accesses need of it, so that it is no matter whose
 * turn it is.
 */
#include "core/goldilocks_turn.h"

/* What most accesses of a trace are: plain, of a whole word, on a cell whose accesses are all behind the lane (no group, no side record: their
 * halves are greater).  Then a write leaves nothing else, and a read leaves what was written, of whatever bytes and kind they were (cell.h).  What is
 * tossed up (read or write) is selected, not branched on.  access_whole() is the slow twin.  False: nothing was done. */
static inline GL_HOT bool access_behind(const struct gl_lane *lane, struct tally *n, struct cell *c, const struct gl_event *e)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    /* Where a difference is negative, it is beyond. */
    int64_t far_w = ((int64_t)lane->horizon - wrote) & ((int64_t)lane->span - (uint32_t)(wrote - lane->own)),
            far_r = ((int64_t)lane->horizon - read) & ((int64_t)lane->span - (uint32_t)(read - lane->own));
    if ((far_w | far_r) < 0)
        return false;
    uint32_t write = e->op;
    n->writes += write;
    n->fresh += !word;
    uint64_t keep = ((uint64_t)write - 1) << 32; /* a write leaves nothing else, a read leaves the write */
    gl_store_relaxed(&c->word, (word & keep) | lane->mine[write]);
    gl_store_relaxed((_Atomic uint32_t *)&c->sites + write, e->site); /* as gl_site_half() */
    return true;
}

static inline void lane_drop(struct gl_state *s, uint64_t number)
{
    s->lane[number % GL_LANES].number = (uint32_t)number + 1; /* of whom this is not the lane */
}

/* Nor is its thread at hand any more. */
static inline void lane_forget(struct gl_state *s, uint64_t number)
{
    lane_drop(s, number);
    s->lane[number % GL_LANES].whose = (uint32_t)number + 1;
}

/* The lane of a thread that has a segment. */
static void lane_fill(struct gl_state *s, struct gl_thread *t, uint32_t number)
{
    if (__builtin_expect(s->known_by[t->slot] != t->uid || !s->known[t->slot][t->slot], 0)) /* its row is another thread's, or nobody's */
        gl_horizon_begin(s, t, NULL);
    uint32_t mine = gl_half(t->segment, 0, 0xF), before = mine - gl_half(1, 0, 0) + GL_HALF_ATOMIC, horizon = s->horizon[t->slot].half,
             own = gl_half(t->own_first, 0, 0);
    s->lane[number % GL_LANES] = (struct gl_lane){.number = number,
                                                  .whose = number,
                                                  .mine = {mine, (uint64_t)mine << 32},
                                                  .horizon = horizon < before ? horizon : before,
                                                  .own = own,
                                                  .span = before > own ? before - own : 0,
                                                  .t = t};
}

/* Apart from access_behind(), which is what most need. */
static __attribute__((noinline)) bool access_near(struct gl_state *s, struct gl_lane *lane, struct tally *n, struct cell *c,
                                                  const struct gl_event *e)
{
    struct gl_thread *t = lane->t;
    struct turn now = {.t = t, .number = lane->number, .known = s->known[t->slot], .mine = (uint32_t)lane->mine[0]};
    if (!access_whole(&now, n, &s->core->segments, c, &s->nobodys, e->op, e->site, false))
        return false;
    if (gl_horizon_missed(s, t))
        lane_fill(s, t, e->thread);
    return true;
}

/* An acquire or a release of a mutex by a thread that runs.  False: the mutex is not that well known. */
static __attribute__((noinline)) bool mutex_few(struct gl_state *s, struct gl_lane *lane, const struct gl_event *e, gl_status *status)
{
    struct gl_thread *t = lane->whose == e->thread ? lane->t : thread_find(s, e->thread);
    struct object *o = object_find(&s->mutexes, e->object);
    if (!t || !o)
        return false;
    if (e->op == GL_OP_REL)
        lane_drop(s, e->thread);
    *status = gl_goldilocks_mutex(s, t, &o->mutex, e->op == GL_OP_REL);
    return true;
}

/* A thread that runs gets a lane for its access, which is a plain one of a whole word.  False: that is not simple. */
static __attribute__((noinline)) bool lane_take(struct gl_state *s, struct gl_lane *lane, uint32_t number)
{
    struct gl_thread *t = lane->whose == number ? lane->t : thread_find(s, number);
    if (!t || (!t->segment && !gl_segment_begin(t))) /* as gl_access() does first of all */
        return false;
    lane_fill(s, t, number);
    return true;
}

/* Any event. */
static __attribute__((noinline)) gl_status event_few(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    gl_status status;
    lane_drop(s, e->thread);
    if (gl_goldilocks_quick(s, e, race, &status))
        return status;
    lane_forget(s, e->thread);
    lane_forget(s, e->object); /* it may be a thread that ends or begins */
    return gl_goldilocks_any(s, e, race);
}

/* Cells are fetched in blocks, one block ahead. */
#define BLOCK 16u

/* Of a leaf that is not there, find() makes small numbers. */
static inline GL_HOT bool is_there(const struct cell *c) { return (uintptr_t)c >= LEAF * sizeof *c; }

/* place[i]: the cell of the i-th event.  It is not there: the event is no plain access of a whole word, or there is no cell yet. */
static inline GL_HOT void find(struct gl_state *s, struct cell **place, const struct gl_event *e, size_t n)
{
    for (size_t i = 0; i < n; i++, e++) {
        uint64_t word = e->object >> 2;
        uintptr_t leaf = (uintptr_t)gl_load_relaxed(&s->cells.leaf[word / LEAF % LEAVES]), /* relaxed: there is one caller */
                  at = leaf + word % LEAF * sizeof(struct cell);
        __builtin_prefetch((void *)at, 1);
        place[i] = (struct cell *)(not_whole(e) ? 0 : at);
    }
}

/* With many mutexes, each is cold when it is acquired. */
static inline GL_HOT void fetch_mutexes(struct gl_state *s, const struct gl_event *e, size_t n)
{
    for (size_t i = 0; i < n; i++, e++)
        if (e->op == GL_OP_ACQ)
            __builtin_prefetch(object_find(&s->mutexes, e->object), 1);
}

/* Up to the first status that is not GL_OK, or until threads have become many.  Returns how many events that were. */
size_t gl_goldilocks_few(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    const struct gl_event *const begin = e, *const end = e + n;
    struct tally tally = {0};
    size_t others = 0; /* events that are not among the tally */
    struct cell *place[2][BLOCK];
    bool fetches = gl_load_relaxed(&s->mutexes.used) > 1; /* relaxed: there is one caller */
    bool last = false;
    s->core->horizons = true;
    *status = GL_OK;
    if (gl_load_relaxed(&s->lanes_stale)) /* relaxed, as below: there is one caller */
        for (uint32_t i = 0; i < GL_LANES; i++)
            lane_forget(s, i);
    gl_store_relaxed(&s->lanes_stale, false);
    find(s, place[0], e, n < BLOCK ? n : BLOCK);
    for (unsigned now = 0; e < end && !last; now ^= 1) {
        size_t left = (size_t)(end - e), more = left > BLOCK ? left - BLOCK : 0;
        if (more >= BLOCK)
            find(s, place[now ^ 1], e + BLOCK, BLOCK);
        else
            find(s, place[now ^ 1], e + BLOCK, more);
        if (fetches)
            fetch_mutexes(s, e + BLOCK, more < BLOCK ? more : BLOCK);
        struct cell **at = place[now];
        for (const struct gl_event *to = e + (left < BLOCK ? left : BLOCK); e < to;) {
            struct gl_lane *lane = &s->lane[e->thread % GL_LANES];
            struct cell *c = *at;
            if (is_there(c) && e->thread == lane->number && (access_behind(lane, &tally, c, e) || access_near(s, lane, &tally, c, e))) {
                e++, at++;
                continue;
            }
            if (is_there(c) && e->thread != lane->number && lane_take(s, lane, e->thread))
                continue;
            if ((e->op | 1) != GL_OP_REL || !mutex_few(s, lane, e, status))
                *status = event_few(s, e, race);
            others++;
            e++, at++;
            last = *status != GL_OK || stopped(s) || is_crowd(s);
            if (__builtin_expect(last, 0))
                break;
        }
    }
    tally.all = (uint64_t)(e - begin) - others;
    tally_count(s->core, &tally, false);
    return (size_t)(e - begin);
}
