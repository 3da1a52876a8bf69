/* SPDX-License-Identifier: Apache-2.0
 *
 * What most events of a trace are, known soon: a plain access within one word that is in the table, by a thread that runs.  Four ways, each
 * the slow twin of the one after it: goldilocks.c for any event, event_quick() for accesses within a word, access_whole() for
 * accesses of whole words when there is one caller, access_behind() for those among them that lie behind the thread's horizon.
 */
#include "core/goldilocks_state.h"

#include "core/sweep.h"

/* As gl_before(), of which it is the first steps: in a trace, where threads take turns and come back to the same data late, what a
 * segment stands for is found sooner than a cache of segments. */
static inline bool before_direct(struct gl_thread *t, uint32_t id)
{
    if (__builtin_expect(id < GL_GROUP_FIRST, 1)) {
        const struct gl_batch *b = gl_batch_of(&t->core->segments, id);
        if (b->slot == t->slot) {
            gl_count(t, GL_COUNT_rule_own_thread);
            return true;
        }
        if (gl_load_relaxed(&t->core->slots) > t->core->many) /* relaxed: there is one caller */
            return gl_ordered(t, id);
        const struct gl_hint *h = &t->hints[b->slot & t->hint_mask];
        if (h->slot == b->slot && h->epoch >= gl_segment_epoch(b, id)) {
            gl_count(t, GL_COUNT_rule_hint);
            return true;
        }
    }
    return gl_before(t, id);
}

static inline bool known_direct(struct gl_thread *t, uint32_t id)
{
    if (__builtin_expect(id < GL_GROUP_FIRST, 1) && gl_batch_of(&t->core->segments, id)->slot == t->slot) {
        gl_count(t, GL_COUNT_rule_own_thread);
        return true;
    }
    return gl_before_known(t, id);
}

/* A plain access by the only caller there is: no cell is locked.  False: not that simple. */
static inline bool access_alone(struct gl_thread *t, struct cell *c, uint32_t mask, bool write, uint32_t site)
{
    if (!t->segment)
        return false;
    uint32_t mine = gl_half(t->segment, 0, mask);
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, need = ~0xFu | mask;
    /* Seen in this segment, and nothing else in the cell conflicts: gl_access() would find the same, also after a race. */
    bool seen = ((w ^ mine) & need) == 0 ? !write || !r || (r ^ mine) <= 0xF
                                         : !write && ((r ^ mine) & need) == 0 && (!w || (w ^ mine) <= 0xF);
    if (!seen && !gl_access_alone_by(t, (struct gl_cell){&c->word, &c->sites}, mine, write, site, before_direct, known_direct))
        return false;
    t->count[write ? GL_COUNT_writes : GL_COUNT_reads]++;
    t->count[seen ? GL_COUNT_rule_same_segment : GL_COUNT_quick]++;
    return true;
}

/* What most events are: a plain access within one word that is in the table, by a thread that runs.  False: nothing was
 * done, and gl_goldilocks_any() does the same for any event.  alone: the caller has no other threads. */
static inline bool event_quick(struct gl_state *s, const struct gl_event *e, bool alone, struct gl_race *race,
                               gl_status *status)
{
    uint32_t first = e->object & 3;
    uint64_t word = e->object >> 2;
    if (e->op > GL_OP_WRITE || e->size - 1 >= 4 - first || word >= (uint64_t)LEAF * LEAVES ||
        e->thread >= (uint64_t)LEAF * LEAVES)
        return false;
    struct thread *threads = (struct thread *)table_find(&s->threads, e->thread);
    struct cell *cells = (struct cell *)table_find(&s->cells, word);
    if (!threads || !cells || gl_core_stopped(s->core))
        return false;
    struct gl_thread *t = gl_load_acquire(&threads[e->thread % LEAF].core); /* pairs with thread_now(), do_fork() */
    if (!t)
        return false;
    uint32_t mask = ((1u << e->size) - 1) << first;
    *status = GL_OK;
    if (alone && access_alone(t, &cells[word % LEAF], mask, e->op == GL_OP_WRITE, e->site))
        return true;
    int raced = access_word(t, &cells[word % LEAF], mask, e->op == GL_OP_WRITE ? GL_ACCESS_WRITE : GL_ACCESS_READ, e->site, race);
    bool lost = raced < 0 || (!raced && gl_core_stopped(s->core)); /* as in gl_goldilocks_any() */
    *status = lost ? GL_NOMEM : raced ? GL_RACE : GL_OK;
    if (raced > 0 && race) {
        race->object = e->object;
        race->bytes = (uint32_t)raced >> first;
    }
    return true;
}

gl_status gl_goldilocks_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race)
{
    gl_status status;
    return event_quick(s, e, false, race, &status) ? status : gl_goldilocks_any(s, e, race);
}

/* What accesses of a trace need of their thread, at hand as long as the next event is the same thread's. */
struct turn {
    struct gl_thread *t; /* NULL: it does not run */
    uint64_t number;     /* its; UINT64_MAX: nobody's */
    uint32_t *known;     /* its row of gl_state.known, with few threads */
    uint32_t mine;       /* its half for a whole word; 0: it has no segment yet */
};

/* Accesses of whole words that were not counted yet.  An access is counted for one rule: the last one that it needed.  It is counted as if its
 * thread had ended: its own counters may be in no near cache. */
struct tally {
    uint64_t all, writes, fresh;
    uint64_t near;       /* those that the horizon did not answer */
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

static inline GL_HOT uint32_t half_now(const struct gl_thread *t) { return t->segment ? gl_half(t->segment, 0, 0xF) : 0; }

static inline GL_HOT void turn_begin(struct turn *now, struct gl_state *s, struct gl_thread *t, uint32_t number, bool crowd)
{
    now->t = t;
    now->number = number;
    now->mine = t ? half_now(t) : 0;
    if (t && !crowd) {
        now->known = s->known[t->slot];
        if (__builtin_expect(s->known_by[t->slot] != t->uid || !now->known[t->slot], 0)) /* another thread's, or nobody's */
            gl_horizon_begin(s, t, NULL);
    }
}

/* What rule hint says now of a segment's slot, for the thread's row.  False: not that this segment is ordered before. */
static __attribute__((noinline)) bool learn(const struct turn *now, const struct gl_batch *b, uint32_t id)
{
    const struct gl_hint *h = &now->t->hints[b->slot & now->t->hint_mask];
    if (h->slot == b->slot && h->epoch > now->known[b->slot])
        now->known[b->slot] = h->epoch;
    return now->known[b->slot] >= gl_segment_epoch(b, id);
}

/* Are both segments known to be ordered before?  *other: one is not the thread's own. */
static inline GL_HOT bool are_known(const struct turn *now, struct gl_segments *segments, uint32_t w, uint32_t r, bool crowd,
                                    uint32_t *other)
{
    const struct gl_batch *bw = gl_batch_listed(segments, w), *br = gl_batch_listed(segments, r);
    if (crowd) {
        uint32_t foreign_w = bw->slot ^ now->t->slot, foreign_r = br->slot ^ now->t->slot;
        *other = (foreign_w | foreign_r) != 0;
        return !*other || ((!foreign_w || gl_lock_says(now->t, w)) && (!foreign_r || gl_lock_says(now->t, r)));
    }
    uint32_t upto_w = now->known[bw->slot], upto_r = now->known[br->slot];
    uint32_t unknown_w = upto_w < gl_segment_epoch(bw, w), unknown_r = upto_r < gl_segment_epoch(br, r);
    *other = (upto_w & upto_r) != UINT32_MAX;
    return __builtin_expect((unknown_w | unknown_r) == 0, 1) || (learn(now, bw, w) && learn(now, br, r));
}

/* x, or y if that is 0; it is tossed up, and compilers like to branch. */
static inline GL_HOT uint32_t or_else(uint32_t x, uint32_t y) { return x | (y & (uint32_t)(((uint64_t)x - 1) >> 32)); }

/* 0: the half is that of one plain access to the whole word, and of no group.  Tags of a cell have the bit of atomic accesses. */
static inline GL_HOT uint64_t not_simple(uint32_t half)
{
    const uint64_t room = (1ull << 32) - gl_half(GL_GROUP_FIRST, 0, 0); /* what is added carries for groups, and leaves the lower bits */
    return ((half ^ 0xF) + room) & (1ull << 32 | 0x1F);
}

/* Halves of segments that are known soon to be ordered before what the thread does: those behind its horizon, not greater than the first
 * of these, and its own in the present batch of ids, own .. own + span.  Its present segment is not among them. */
struct behind {
    uint32_t horizon, own, span;
};

/* What most accesses of a trace are: plain, of a whole word, on a cell whose accesses are all in `b` (no group, no side record: their halves are
 * greater).  Then a write leaves nothing else, and a read leaves what was written, of whatever bytes and kind they were (cell.h).  What is
 * tossed up (read or write) is selected, not branched on.  access_whole() is the slow twin.  False: nothing was done. */
static inline GL_HOT bool access_behind(struct behind b, uint32_t mine, struct tally *n, struct cell *c, uint32_t write, uint32_t site)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    uint32_t far_w = (wrote > b.horizon) & (wrote - b.own > b.span), far_r = (read > b.horizon) & (read - b.own > b.span);
    if (far_w | far_r)
        return false;
    n->writes += write;
    n->fresh += !word;
    uint32_t keep = write - 1; /* a write leaves nothing else, a read leaves the write */
    gl_store_relaxed(&c->word, (uint64_t)(wrote & keep) << 32 | (uint64_t)mine << (32 & ~keep));
    gl_store_relaxed((_Atomic uint32_t *)&c->sites + write, site); /* as gl_site_half() */
    return true;
}

/* The same wherever the cell's segments lie.  Whose access came before is selected, too.  access_alone() is the slow twin.
 * crowd: many threads, where a lock says more than a hint (gl_ordered()). */
static inline GL_HOT bool access_whole(const struct turn *now, struct tally *n, struct gl_segments *segments, struct cell *c,
                                       struct cell *nobodys, uint32_t write, uint32_t site, bool crowd)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t mine = now->mine, wrote = (uint32_t)(word >> 32), read = (uint32_t)word;
    uint32_t w = or_else(wrote, mine), r = or_else(read, mine); /* no access: as if it were our own */
    if (not_simple(w) | not_simple(r))
        return false;
    uint32_t other;
    if (!are_known(now, segments, gl_half_segment(w), gl_half_segment(r), crowd, &other))
        return false;
    n->near++;
    n->writes += write;
    n->fresh += !word;
    /* Recorded, or covered by the thread's own write, as access_alone() has it: then nothing changes but what nobody looks at. */
    uint32_t mine_w = wrote == mine, mine_r = read == mine, same = (mine_w & (r == mine)) | ((mine_w | mine_r) & (write ^ 1));
    n->same_other += same | (uint64_t)(other & (same ^ 1)) << 32;
    uintptr_t here = (uintptr_t)c, there = (uintptr_t)nobodys;
    struct cell *to = (struct cell *)(here ^ ((here ^ there) & -(uintptr_t)same));
    uint32_t keep = write - 1;
    gl_store_relaxed(&to->word, (uint64_t)(wrote & keep) << 32 | (uint64_t)mine << (32 & ~keep));
    gl_store_relaxed((_Atomic uint32_t *)&to->sites + write, site);
    return true;
}

/* How many events before its access a cell is fetched; and, with many threads, what its thread needs to judge it, and the locks
 * under which the other's segment ended. */
#define AHEAD 16
#define AHEAD_THREAD 8
#define AHEAD_LOCKS 4
_Static_assert(AHEAD_THREAD < AHEAD && AHEAD_LOCKS < AHEAD, "cells are fetched before them");

static inline struct cell *cell_find(struct gl_state *s, uint64_t word)
{
    struct cell *cells = word < (uint64_t)LEAF * LEAVES ? (struct cell *)table_find(&s->cells, word) : NULL;
    return cells ? cells + word % LEAF : NULL;
}

/* NULL: it is met for the first time, perhaps. */
static inline struct object *object_find(struct table *tab, uint64_t number)
{
    struct object *objects = number < (uint64_t)LEAF * LEAVES ? (struct object *)table_find(tab, number) : NULL;
    return objects ? objects + number % LEAF : NULL;
}

static inline bool stopped(struct gl_state *s) { return gl_load_acquire(&s->core->log.stopped); } /* as gl_core_stopped() */

static inline struct gl_thread *thread_find(struct gl_state *s, uint32_t number)
{
    struct thread *threads = number < (uint64_t)LEAF * LEAVES ? (struct thread *)table_find(&s->threads, number) : NULL;
    return threads ? gl_load_acquire(&threads[number % LEAF].core) : NULL; /* pairs with thread_now(), do_fork() */
}

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
static inline GL_HOT void look_ahead(struct gl_state *s, struct ahead *a, const struct gl_event *e, bool crowd)
{
    uint32_t at = a->at;
    const struct gl_event *far = e + AHEAD < a->last ? e + AHEAD : a->last;
    find_cell(s, a, at, far);
    fetch_mutex(s, far);
    a->at = (at + 1) % AHEAD;
    if (!crowd || !a->segments_known || e + AHEAD_THREAD > a->last)
        return;
    if (e[AHEAD_THREAD].thread != e[AHEAD_THREAD - 1].thread)
        fetch_thread(s, e[AHEAD_THREAD].thread);
    if (e[AHEAD_LOCKS].op == GL_OP_ACQ)
        fetch_sink(s, &e[AHEAD_LOCKS]);
    find_segment(s, a, (at + AHEAD_THREAD) % AHEAD, &e[AHEAD_THREAD]);
    fetch_locks(s, a, (at + AHEAD_LOCKS) % AHEAD);
}

/* Before the first of n > 0 events. */
static inline void ahead_begin(struct gl_state *s, struct ahead *a, const struct gl_event *e, size_t n, bool crowd)
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
    if (!crowd || !a->segments_known || n < AHEAD_THREAD)
        return;
    for (uint32_t i = 0; i < AHEAD_THREAD; i++)
        find_segment(s, a, i, e + i);
    for (uint32_t i = 0; i < AHEAD_LOCKS; i++)
        fetch_locks(s, a, i);
}

/* 0: a plain access to a whole word for which there may be a cell. */
static inline GL_HOT uint64_t not_whole(const struct gl_event *e)
{
    return e->op >> 1 | (e->size ^ 4) | (e->object & ~(4 * ((uint64_t)LEAF * LEAVES - 1)));
}

/* Apart from access_behind(), which is what most need. */
static __attribute__((noinline)) bool access_near(const struct turn *now, struct tally *n, struct gl_segments *segments, struct cell *c,
                                                  struct cell *nobodys, const struct gl_event *e)
{
    return access_whole(now, n, segments, c, nobodys, e->op, e->site, false);
}

/* Of the thread as it is now. */
static inline struct behind behind_of(const struct gl_state *s, const struct turn *now)
{
    uint32_t horizon = s->horizon[now->t->slot].half, before = now->mine - gl_half(1, 0, 0) + GL_HALF_ATOMIC;
    uint32_t own = gl_half(now->t->own_first, 0, 0);
    return (struct behind){.horizon = horizon < before ? horizon : before, .own = own, .span = before > own ? before - own : 0};
}

/* The accesses of one turn, up to the first event that is none or not that simple.  Returns where that is. */
static inline GL_HOT const struct gl_event *turn_run(struct gl_state *s, const struct turn *turn, struct tally *tally, struct ahead *ahead,
                                                     const struct gl_event *e, bool crowd)
{
    struct gl_segments *segments = &s->core->segments;
    struct turn now = *turn; /* in registers, as far as there are any */
    struct tally n = {0};
    const struct gl_event *from = e, *last = ahead->last;
    uint64_t near = tally->near;
    struct behind behind = crowd ? (struct behind){0} : behind_of(s, turn);
    for (; e <= last && !(not_whole(e) | (e->thread ^ now.number)); e++) {
        struct cell *c = ahead_cell(ahead);
        if (c == &ahead->nobodys)
            break;
        if (crowd ? !access_whole(&now, &n, segments, c, &ahead->nobodys, e->op, e->site, true)
                  : !access_behind(behind, now.mine, &n, c, e->op, e->site) && !access_near(turn, tally, segments, c, &ahead->nobodys, e))
            break;
        look_ahead(s, ahead, e, crowd);
    }
    tally->all += (uint64_t)(e - from);
    tally->near += n.near;
    tally->writes += n.writes;
    tally->fresh += n.fresh;
    tally->same_other += n.same_other;
    if (!crowd && tally->near != near)
        gl_horizon_missed(s, turn->t, (uint32_t)(tally->near - near));
    return e;
}

/* Apart from what is around them: they need all registers that there are. */
static __attribute__((noinline)) const struct gl_event *turn_run_few(struct gl_state *s, const struct turn *now, struct tally *tally,
                                                                     struct ahead *ahead, const struct gl_event *e)
{
    return turn_run(s, now, tally, ahead, e, false);
}

static __attribute__((noinline)) const struct gl_event *turn_run_crowd(struct gl_state *s, const struct turn *now, struct tally *tally,
                                                                     struct ahead *ahead, const struct gl_event *e)
{
    return turn_run(s, now, tally, ahead, e, true);
}

static inline bool is_crowd(const struct gl_state *s) { return gl_load_relaxed(&s->core->slots) > s->core->many; }

/* Up to the first status that is not GL_OK, or until threads have become many.  Returns how many events that were. */
static inline GL_HOT size_t events_by(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status,
                                      bool crowd)
{
    const struct gl_event *const begin = e, *const end = e + n;
    struct turn now = {.number = UINT64_MAX};
    struct tally tally = {0};
    struct ahead ahead;
    ahead_begin(s, &ahead, e, n, crowd);
    s->core->horizons = !crowd;
    *status = GL_OK;
    while (e < end) {
        if (e->thread != now.number)
            turn_begin(&now, s, thread_find(s, e->thread), e->thread, crowd);
        if (!now.mine && now.t && !not_whole(e) && cell_find(s, e->object >> 2) && gl_segment_begin(now.t)) /* as gl_access() does first of all */
            now.mine = half_now(now.t);
        if (now.mine) {
            const struct gl_event *from = e;
            e = crowd ? turn_run_crowd(s, &now, &tally, &ahead, e) : turn_run_few(s, &now, &tally, &ahead, e);
            if (e > from)
                continue;
        }
        look_ahead(s, &ahead, e, crowd);
        struct object *o = now.t && (e->op | 1) == GL_OP_REL ? object_find(&s->mutexes, e->object) : NULL;
        if (o)
            *status = gl_goldilocks_mutex(s, now.t, &o->mutex, e->op);
        else if (!event_quick(s, e, true, race, status))
            *status = gl_goldilocks_any(s, e, race);
        e++;
        if (*status != GL_OK || stopped(s) || is_crowd(s) != crowd)
            break;
        turn_begin(&now, s, o ? now.t : thread_find(s, e[-1].thread), e[-1].thread, crowd); /* it may have ended, or another segment may have begun */
    }
    tally_count(s->core, &tally, crowd);
    return (size_t)(e - begin);
}

size_t gl_goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    if (gl_core_stopped(s->core)) {
        *status = gl_goldilocks_any(s, e, race); /* which says so */
        return 1;
    }
    if (gl_core_sweep_due(s->core))
        gl_goldilocks_sweep(s);
    size_t done = is_crowd(s) ? 0 : events_by(s, e, n, race, status, false);
    if (done < n && is_crowd(s) && (!done || *status == GL_OK) && !stopped(s))
        done += events_by(s, e + done, n - done, race, status, true);
    if (*status == GL_OK && stopped(s)) /* as in gl_goldilocks_any() */
        *status = GL_NOMEM;
    return done;
}
