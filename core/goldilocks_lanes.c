/* SPDX-License-Identifier: Apache-2.0
 *
 * Many events of a trace, for one caller. Each thread has a lane, which says all that most of its accesses need, so that it is no matter
 * whose turn it is. What events will look at is fetched before they come. crowd, here and below: there are many threads. Then the data of
 * one are rarely in a near cache when its turn comes, somebody is always far behind, so that there is no horizon, and a lock says more than
 * a hint (gl_ordered()).
 */
#include "core/goldilocks_state.h"
#include "core/sweep.h"

/* relaxed: there is one caller */
static inline bool is_crowd(const struct gl_state *s) { return gl_load_relaxed(&s->core->slots) > s->core->many; }
/* As gl_core_stopped(): pairs with gl_core_stop(). */
static inline bool stopped(struct gl_state *s) { return gl_load_acquire(&s->core->log.stopped); }

static inline struct gl_thread *thread_find(struct gl_state *s, uint32_t number)
{
    struct thread *threads = number < (uint64_t)LEAF * LEAVES ? (struct thread *)table_find(&s->threads, number) : NULL;
    return threads ? gl_load_acquire(&threads[number % LEAF].core) : NULL; /* pairs with thread_now(), do_fork() */
}

/* NULL: it is met for the first time, perhaps. */
static inline struct object *mutex_find(struct gl_state *s, uint64_t number)
{
    struct object *objects = number < (uint64_t)LEAF * LEAVES ? (struct object *)table_find(&s->mutexes, number) : NULL;
    return objects ? objects + number % LEAF : NULL;
}

/* ---- what is counted ---- */

/* Accesses of whole words that were not counted yet. An access is counted for one rule: the last one that it needed. It is counted as if
 * its thread had ended: its own counters may be in no near cache. */
struct tally {
    uint64_t all;
    uint64_t writes;
    uint64_t near;       /* those that the horizon did not answer */
    uint64_t fresh;      /* the first ones of their cells */
    uint64_t same_other; /* recorded already; and << 32, those where another than the thread's own came before */
};

static void tally_count(struct gl_core *core, const struct tally *n, bool crowd)
{
    uint64_t *count = core->count; /* nobody else is there */
    uint64_t same = (uint32_t)n->same_other, other = n->same_other >> 32;
    count[GL_COUNT_reads] += n->all - n->writes;
    count[GL_COUNT_writes] += n->writes;
    count[GL_COUNT_quick] += n->all - same;
    count[GL_COUNT_rule_same_segment] += same;
    count[GL_COUNT_rule_fresh] += n->fresh;
    uint64_t near = crowd ? n->all - n->fresh : n->near; /* with few, what is fresh is behind every horizon */
    count[GL_COUNT_rule_horizon] += n->all - near - n->fresh;
    count[GL_COUNT_rule_own_thread] += near - same - other;
    count[crowd ? GL_COUNT_rule_lock_held : GL_COUNT_rule_hint] += other;
}

/* ---- lanes ---- */

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

/* Those from s->lanes on are all zeroes, or were forgotten before: nobody's either way, since lane 0 is not among them. */
static void lanes_forget(struct gl_state *s)
{
    for (uint32_t i = 0; i < s->lanes || i == 0; i++)
        lane_forget(s, i);
    s->lanes = 1;
}

/* The lane of a thread that has a segment. */
static void lane_fill(struct gl_state *s, struct gl_thread *t, uint32_t number, bool crowd)
{
    uint32_t mine = gl_half(t->segment, 0, 0xF), i = number % GL_LANES;
    struct gl_lane *lane = &s->lane[i];
    if (__builtin_expect(i >= s->lanes, 0))
        s->lanes = i + 1;
    *lane = (struct gl_lane){.number = number, .whose = number, .slot = t->slot, .mine = {mine, (uint64_t)mine << 32}, .t = t};
    if (crowd) {
        uint32_t before = mine - gl_half(1, 0, 0) + GL_HALF_ATOMIC, own = gl_half(t->own_first, 0, 0);
        lane->own = own;
        lane->span = before > own ? before - own : 0;
        lane->n_held = t->n_held;
        for (uint32_t k = 0; k < t->n_held && k < GL_LANE_HELD; k++)
            lane->held[k] = t->held[k].serial;
        return;
    }
    if (__builtin_expect(s->known_by[t->slot] != t->uid || !s->known[t->slot][t->slot], 0)) /* its row is another thread's, or nobody's */
        gl_horizon_begin(s, t, NULL);
    gl_horizon_own(s, t);
    lane->horizon = s->horizon[t->slot];
}

/* A thread that runs gets a lane for its access, which is a plain one of a whole word.  False: that is not simple. */
static __attribute__((noinline)) bool lane_take(struct gl_state *s, struct gl_lane *lane, uint32_t number, bool crowd)
{
    struct gl_thread *t = lane->whose == number ? lane->t : thread_find(s, number);
    if (!t || (!t->segment && !gl_segment_begin(t))) /* as gl_access() does first of all */
        return false;
    lane_fill(s, t, number, crowd);
    return true;
}

/* ---- events that are no simple accesses ---- */

/* A mutex that is used for the first time.  Numbers that do not come in order leave leaf_make() no reason to say that all of a leaf is about to be
 * used; when many of one were, there is, and a fault is spared for each page that was not. */
static __attribute__((noinline)) void mutex_met(struct gl_state *s, uint64_t number)
{
    uint16_t *met = &s->mutexes_met[number / LEAF];
    if (*met < GL_LEAF_DENSE && ++*met == GL_LEAF_DENSE && s->env.soon)
        s->env.soon(s->env.ctx, table_find(&s->mutexes, number), LEAF * sizeof(struct object));
}

/* An acquire or a release of a mutex by a thread that runs.  False: the mutex is not that well known. */
static __attribute__((noinline)) bool mutex_event(struct gl_state *s, struct gl_lane *lane, const struct gl_event *e, bool crowd,
                                                  gl_status *status)
{
    struct gl_thread *t = lane->whose == e->thread ? lane->t : thread_find(s, e->thread);
    struct object *o = mutex_find(s, e->object);
    if (!t || !o)
        return false;
    if (__builtin_expect(!o->mutex.serial, 0))
        mutex_met(s, e->object);
    if (crowd || e->op == GL_OP_REL) /* an acquire ends no segment, but what the thread holds is in the lane with many */
        lane_drop(s, e->thread);
    *status = gl_goldilocks_mutex(s, t, &o->mutex, e->op == GL_OP_REL);
    if (!crowd && e->op == GL_OP_ACQ)
        gl_horizon_sunk(s, t, &o->mutex.sync);
    return true;
}

/* Any event. */
static __attribute__((noinline)) gl_status any_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    gl_status status;
    if (gl_goldilocks_quick(s, e, race, &status)) /* an access, in a segment that is the lane's, if it has one: a release leaves no lane */
        return status;
    lane_forget(s, e->thread);
    lane_forget(s, e->object); /* it may be a thread that ends or begins */
    return gl_goldilocks_any(s, e, race);
}

/* ---- accesses ---- */

/* What most accesses of a trace are with few threads: plain, of a whole word, on a cell whose accesses are all behind the lane (no group,
 * no side record: their halves are greater). Then a write leaves nothing else, and a read leaves what was written, of whatever bytes and
 * kind they were (cell.h). What is tossed up (read or write) is selected, not branched on. access_whole() is the slow twin. False: nothing
 * was done. */
static inline GL_HOT bool access_behind(const struct gl_lane *lane, struct tally *n, struct cell *c, const struct gl_event *e)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    if (wrote > lane->horizon[gl_half_chunk(wrote)] || read > lane->horizon[gl_half_chunk(read)])
        return false;
    uint32_t write = e->op;
    n->writes += write;
    n->fresh += !word;
    uint64_t keep = ((uint64_t)write - 1) << 32; /* a write leaves nothing else, a read leaves the write */
    gl_store_relaxed(&c->word, (word & keep) | lane->mine[write]);
    gl_store_relaxed((_Atomic uint32_t *)&c->sites + write, e->site); /* as gl_site_half() */
    return true;
}

/* What rules hint and lock-held say now of a segment, for the thread's row.  False: not that it is ordered before. */
static inline bool learn(const struct gl_lane *lane, uint32_t *known, const struct gl_batch *b, uint32_t id)
{
    const struct gl_hint *h = &lane->t->hints[b->slot & lane->t->hint_mask];
    uint32_t epoch = gl_segment_epoch(b, id);
    if (h->slot == b->slot && h->epoch > known[b->slot])
        known[b->slot] = h->epoch;
    if (known[b->slot] < epoch && gl_lock_says(lane->t, id)) /* and sets nest: it is ordered after all before, too */
        known[b->slot] = epoch;
    return known[b->slot] >= epoch;
}

static inline bool lane_holds(const struct gl_lane *lane, uint32_t serial)
{
    bool holds = false;
    for (uint32_t i = 0; i < lane->n_held; i++)
        holds |= lane->held[i] == serial;
    return holds;
}

/* Rule lock-held, as gl_lock_says(), of which it is the first steps: the thread's own memory is not needed. */
static bool lock_says(struct gl_state *s, const struct gl_lane *lane, uint32_t id)
{
    uint32_t locks = gl_load_relaxed(gl_segment_lock(&s->core->segments, id)); /* relaxed: nobody else is there */
    bool one = locks < GL_LOCKS_READ, many = (locks & GL_LOCKS_LISTED) == GL_LOCKS_MANY; /* else holds for reading may be among them */
    if (GL_MUTANT(HINT_LEAK) || lane->n_held > GL_LANE_HELD || !(one | many))
        return gl_lock_says(lane->t, id);
    if (one)
        return locks && lane_holds(lane, locks);
    if (gl_locks_are_pair(locks))
        return lane_holds(lane, gl_locks_first(locks)) || lane_holds(lane, gl_locks_second(locks));
    const uint32_t *serials = gl_list_at(&s->core->lists, locks & ~GL_LOCKS_MANY)->value;
    for (uint32_t i = 0; i < GL_GROUP_MAX && serials[i]; i++)
        if (lane_holds(lane, serials[i]))
            return true;
    return false;
}

static __attribute__((noinline)) bool locks_say(struct gl_state *s, const struct gl_lane *lane, uint32_t w, bool foreign_w, uint32_t r,
                                                bool foreign_r)
{
    return (!foreign_w || lock_says(s, lane, w)) && (!foreign_r || lock_says(s, lane, r));
}

/* Are both segments known to be ordered before?  *other: one is not the thread's own. */
static inline GL_HOT bool are_known(struct gl_state *s, const struct gl_lane *lane, uint32_t w, uint32_t r, bool crowd, uint32_t *other)
{
    struct gl_segments *segments = &s->core->segments;
    const struct gl_batch *bw = gl_batch_listed(segments, w), *br = gl_batch_listed(segments, r);
    if (crowd) {
        uint32_t foreign_w = bw->slot ^ lane->slot, foreign_r = br->slot ^ lane->slot;
        *other = (foreign_w | foreign_r) != 0;
        return !*other || locks_say(s, lane, w, foreign_w, r, foreign_r);
    }
    uint32_t *known = s->known[lane->slot];
    uint32_t upto_w = known[bw->slot], upto_r = known[br->slot];
    uint32_t unknown_w = upto_w < gl_segment_epoch(bw, w), unknown_r = upto_r < gl_segment_epoch(br, r);
    *other = (upto_w & upto_r) != UINT32_MAX;
    return __builtin_expect((unknown_w | unknown_r) == 0, 1) || (learn(lane, known, bw, w) && learn(lane, known, br, r));
}

/* x, or y if that is 0; it is tossed up, and compilers like to branch. */
static inline GL_HOT uint32_t or_else(uint32_t x, uint32_t y) { return x | (y & (uint32_t)(((uint64_t)x - 1) >> 32)); }

/* 0: the half is that of one plain access to the whole word, and of no group.  Tags of a cell have the bit of atomic accesses. */
static inline GL_HOT uint64_t not_simple(uint32_t half)
{
    const uint64_t room = (1ull << 32) - gl_half(GL_GROUP_FIRST, 0, 0); /* what is added carries for groups, and leaves the lower bits */
    return ((half ^ 0xF) + room) & (1ull << 32 | 0x1F);
}

/* The same wherever the cell's segments lie.  Whose access came before is selected, too.  access_alone() is the slow twin. */
static inline GL_HOT bool access_whole(struct gl_state *s, const struct gl_lane *lane, struct tally *n, struct cell *c,
                                       const struct gl_event *e, bool crowd)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t mine = (uint32_t)lane->mine[0], wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    uint32_t w = or_else(wrote, mine), r = or_else(read, mine); /* no access: as if it were our own */
    if (not_simple(w) | not_simple(r))
        return false;
    uint32_t other, write = e->op;
    if (!are_known(s, lane, gl_half_segment(w), gl_half_segment(r), crowd, &other))
        return false;
    n->near += !crowd;
    n->writes += write;
    n->fresh += !word;
    /* Recorded, or covered by the thread's own write, as access_alone() has it: then nothing changes but what nobody looks at. */
    uint32_t mine_w = wrote == mine, mine_r = read == mine, same = (mine_w & (r == mine)) | ((mine_w | mine_r) & (write ^ 1));
    n->same_other += same | (uint64_t)(other & (same ^ 1)) << 32;
    uintptr_t here = (uintptr_t)c, there = (uintptr_t)&s->nobodys;
    struct cell *to = (struct cell *)(here ^ ((here ^ there) & -(uintptr_t)same));
    uint64_t keep = ((uint64_t)write - 1) << 32;
    gl_store_relaxed(&to->word, (word & keep) | lane->mine[write]);
    gl_store_relaxed((_Atomic uint32_t *)&to->sites + write, e->site);
    return true;
}

/* The same with many threads, on a cell whose accesses are all of the lane's own thread, in the present batch of ids. */
static inline GL_HOT bool access_own(const struct gl_lane *lane, struct tally *n, struct cell *c, const struct gl_event *e)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t w = or_else((uint32_t)(word >> 32), lane->own), r = or_else((uint32_t)word, lane->own); /* no access: as if it were the first */
    if (w - lane->own > lane->span || r - lane->own > lane->span)
        return false;
    uint32_t write = e->op;
    n->writes += write;
    n->fresh += !word;
    uint64_t keep = ((uint64_t)write - 1) << 32;
    gl_store_relaxed(&c->word, (word & keep) | lane->mine[write]);
    gl_store_relaxed((_Atomic uint32_t *)&c->sites + write, e->site);
    return true;
}

/* What the lane's segment has recorded already, where the cell's other access is its own or behind the lane; access_whole() is the slow twin
 * of this, too.  Where threads use few variables, most accesses are of this kind. */
static inline GL_HOT bool access_again(const struct gl_lane *lane, struct tally *n, const struct cell *c, const struct gl_event *e)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t mine = (uint32_t)lane->mine[0], wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    bool again = wrote == mine ? !e->op || !read || read == mine : read == mine && !e->op && wrote <= lane->horizon[gl_half_chunk(wrote)];
    if (!again)
        return false;
    n->near++;
    n->writes += e->op;
    n->same_other++;
    return true;
}

/* Apart from access_behind(), which is what most need. */
static __attribute__((noinline)) bool access_near(struct gl_state *s, const struct gl_lane *lane, struct tally *n, struct cell *c,
                                                  const struct gl_event *e)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    if (!access_whole(s, lane, n, c, e, false))
        return false;
    if (wrote > lane->horizon[gl_half_chunk(wrote)])
        gl_horizon_raise(s, lane->t, gl_half_segment(wrote));
    if (read > lane->horizon[gl_half_chunk(read)])
        gl_horizon_raise(s, lane->t, gl_half_segment(read));
    return true;
}

static inline GL_HOT bool access(struct gl_state *s, const struct gl_lane *lane, struct tally *n, struct cell *c, const struct gl_event *e,
                                 bool crowd)
{
    if (crowd)
        return access_own(lane, n, c, e) || access_whole(s, lane, n, c, e, true);
    return access_behind(lane, n, c, e) || access_again(lane, n, c, e) || access_near(s, lane, n, c, e);
}

/* ---- what events will look at ---- */

/* Blocks of events: while one is done, the cells of the one after the next are fetched; and with many threads what the next one's cells
 * name. */
#define BLOCK 16u
#define BLOCKS 3u

/* 0: a plain access to a whole word for which there may be a cell. */
static inline GL_HOT uint64_t not_whole(const struct gl_event *e)
{
    return e->op >> 1 | (e->size ^ 4) | (e->object & ~(4 * ((uint64_t)LEAF * LEAVES - 1)));
}

/* Of a leaf that is not there, find_cells() makes small numbers. (A leaf at so low an address would not be wrong, only slow.) */
static inline GL_HOT bool is_there(const struct cell *c) { return (uintptr_t)c >= LEAF * sizeof *c; }

/* place[i]: the cell of the i-th event.  It is not there: the event is no plain access of a whole word, or there is no cell yet. */
static inline GL_HOT void find_cells(struct gl_state *s, struct cell **place, const struct gl_event *e, size_t n)
{
    for (size_t i = 0; i < n; i++, e++) {
        uint64_t word = e->object >> 2;
        uintptr_t leaf = (uintptr_t)gl_load_relaxed(&s->cells.leaf[word / LEAF % LEAVES]), /* relaxed: there is one caller */
                  at = leaf + word % LEAF * sizeof(struct cell);
        __builtin_prefetch((void *)at, 1);
        place[i] = (struct cell *)(not_whole(e) ? 0 : at);
    }
}

#define MUTEXES_MANY 256u /* half of the processor's first cache */

/* With many mutexes, each is cold when it is acquired. */
static inline GL_HOT void fetch_mutexes(struct gl_state *s, const struct gl_event *e, size_t n)
{
    for (size_t i = 0; i < n; i++, e++)
        if (e->op == GL_OP_ACQ)
            __builtin_prefetch(mutex_find(s, e->object), 1);
}

/* What an acquire or a release looks at: see gl_sink(). */
static inline void fetch_sync(struct gl_state *s, const struct gl_event *e)
{
    struct gl_thread *t = thread_find(s, e->thread);
    const struct object *o = mutex_find(s, e->object);
    if (!t || !o)
        return;
    const struct gl_sync *sync = &o->mutex.sync;
    __builtin_prefetch(&t->core);
    __builtin_prefetch(&t->key);
    __builtin_prefetch(&t->held_few);
    __builtin_prefetch(&t->seen[sync->node % GL_SEEN], 1);
    __builtin_prefetch(&t->hints[(sync->own - 1) & t->hint_mask], 1);
}

static inline void fetch_lock(struct gl_segments *segments, uint32_t id)
{
    uintptr_t chunk = (uintptr_t)gl_load_relaxed(&segments->chunk[id / GL_SEGMENT_CHUNK]); /* there is none, or it is a tag: in vain */
    __builtin_prefetch((void *)(chunk + offsetof(struct gl_segment_chunk, lock) + id % GL_SEGMENT_CHUNK * sizeof(uint32_t)));
}

/* The locks of the segments that a cell names. */
static inline GL_HOT void fetch_segments(struct gl_state *s, struct cell *const *place, const struct gl_event *e, size_t n)
{
    struct gl_segments *segments = &s->core->segments;
    for (size_t i = 0; i < n; i++, e++) {
        __builtin_prefetch(&s->lane[e->thread % GL_LANES]);
        if (!is_there(place[i])) {
            if ((e->op | 1) == GL_OP_REL)
                fetch_sync(s, e);
            continue;
        }
        uint64_t word = gl_load_relaxed(&place[i]->word); /* relaxed: only the caller is there */
        fetch_lock(segments, gl_half_segment((uint32_t)(word >> 32)));
        fetch_lock(segments, gl_half_segment((uint32_t)word));
        if (__builtin_expect(word >> 32 == GL_CELL_SIDE, 0))
            __builtin_prefetch(gl_side_at(&s->core->sides, gl_cell_side(word)), 1);
    }
}

/* ---- many events ---- */

/* Up to the first status that is not GL_OK, or until threads are not many or few any more.  Returns how many events that were. */
static inline GL_HOT size_t run(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status, bool crowd)
{
    const struct gl_event *const begin = e, *const end = e + n;
    struct tally tally = {0};
    size_t others = 0; /* events that are not among the tally */
    struct cell *place[BLOCKS][BLOCK];
    bool fetches = gl_lock_serial_last(s->core) > MUTEXES_MANY, last = false;
    if (gl_load_relaxed(&s->lanes_stale) || s->core->horizons == crowd) /* relaxed, twice: there is one caller */
        lanes_forget(s);
    gl_store_relaxed(&s->lanes_stale, false);
    s->core->horizons = !crowd;
    *status = GL_OK;
    for (size_t i = 0; i < BLOCKS - 1 && i * BLOCK < n; i++)
        find_cells(s, place[i], e + i * BLOCK, n - i * BLOCK < BLOCK ? n - i * BLOCK : BLOCK);
    for (unsigned now = 0; e < end && !last; now = now == BLOCKS - 1 ? 0 : now + 1) {
        size_t left = (size_t)(end - e);
        if (left >= 3 * BLOCK)
            find_cells(s, place[now == 0 ? 2 : now - 1], e + 2 * BLOCK, BLOCK);
        else if (left > 2 * BLOCK)
            find_cells(s, place[now == 0 ? 2 : now - 1], e + 2 * BLOCK, left - 2 * BLOCK);
        if (fetches && left > 2 * BLOCK)
            fetch_mutexes(s, e + 2 * BLOCK, left >= 3 * BLOCK ? BLOCK : left - 2 * BLOCK);
        if (crowd && left > BLOCK)
            fetch_segments(s, place[now == BLOCKS - 1 ? 0 : now + 1], e + BLOCK, left >= 2 * BLOCK ? BLOCK : left - BLOCK);
        struct cell **at = place[now];
        for (const struct gl_event *to = e + (left < BLOCK ? left : BLOCK); e < to;) {
            struct gl_lane *lane = &s->lane[e->thread % GL_LANES];
            struct cell *c = *at;
            if (is_there(c) && e->thread == lane->number && access(s, lane, &tally, c, e, crowd)) {
                e++, at++;
                continue;
            }
            if (is_there(c) && e->thread != lane->number && lane_take(s, lane, e->thread, crowd))
                continue;
            if ((e->op | 1) != GL_OP_REL || !mutex_event(s, lane, e, crowd, status))
                *status = any_event(s, e, race);
            others++;
            e++, at++;
            last = *status != GL_OK || stopped(s) || is_crowd(s) != crowd;
            if (__builtin_expect(last, 0))
                break;
        }
    }
    tally.all = (uint64_t)(e - begin) - others;
    tally_count(s->core, &tally, crowd);
    return (size_t)(e - begin);
}

/* Apart: each needs all registers that there are. */
static __attribute__((noinline)) size_t run_few(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race,
                                                 gl_status *status)
{
    return run(s, e, n, race, status, false);
}

static __attribute__((noinline)) size_t run_crowd(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race,
                                                  gl_status *status)
{
    return run(s, e, n, race, status, true);
}

size_t gl_goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    if (gl_core_stopped(s->core)) {
        *status = gl_goldilocks_any(s, e, race); /* which says so */
        return 1;
    }
    if (gl_core_sweep_due(s->core))
        gl_goldilocks_sweep(s);
    size_t done = is_crowd(s) ? 0 : run_few(s, e, n, race, status);
    if (done < n && is_crowd(s) && (!done || *status == GL_OK) && !stopped(s))
        done += run_crowd(s, e + done, n - done, race, status);
    if (*status == GL_OK && stopped(s)) /* as in gl_goldilocks_any() */
        *status = GL_NOMEM;
    return done;
}
