/* SPDX-License-Identifier: Apache-2.0
 *
 * What most events of a trace are, known soon: a plain access within one word that is in the table, by a thread that runs.  Three ways, each
 * the slow twin of the one after it: goldilocks.c for any event, event_quick() for accesses within a word, access_whole() for
 * accesses of whole words when there is one caller.
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
        if (t->core->slots > t->core->many)
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
    *status = raced == 0 ? GL_OK : raced < 0 ? GL_NOMEM : GL_RACE;
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
    uint32_t mine;       /* its half for a whole word; 0: it has no segment yet */
    uint32_t all, writes, same, fresh, other; /* accesses that were not counted yet; other: than the thread's own came before */
};

/* By value, so that a turn is in registers.  An access is counted for one rule: the last one that it needed.  It is counted as if its thread
 * had ended: its own counters may be in no near cache. */
static void turn_count(struct gl_core *core, struct turn now, bool crowd)
{
    uint64_t *count = core->count; /* nobody else is there */
    count[GL_COUNT_reads] += now.all - now.writes;
    count[GL_COUNT_writes] += now.writes;
    count[GL_COUNT_quick] += now.all - now.same;
    count[GL_COUNT_rule_same_segment] += now.same;
    count[GL_COUNT_rule_fresh] += now.fresh;
    count[GL_COUNT_rule_own_thread] += now.all - now.same - now.fresh - now.other;
    count[crowd ? GL_COUNT_rule_lock_held : GL_COUNT_rule_hint] += now.other;
}

static inline GL_HOT void turn_end(struct turn *now, bool crowd)
{
    if (now->all)
        turn_count(now->t->core, *now, crowd);
    *now = (struct turn){.number = UINT64_MAX};
}

static inline GL_HOT void turn_begin(struct turn *now, struct gl_thread *t, uint32_t number, bool crowd)
{
    turn_end(now, crowd);
    now->t = t;
    now->number = number;
    now->mine = t && t->segment ? gl_half(t->segment, 0, 0xF) : 0;
}

/* Rule hint, of the batch that an id is from. */
static inline GL_HOT bool hint_says(const struct gl_thread *t, const struct gl_batch *b, uint32_t id)
{
    const struct gl_hint *h = &t->hints[b->slot & t->hint_mask];
    return (h->slot == b->slot) & (h->epoch >= gl_segment_epoch(b, id));
}

/* Is a segment known to be ordered before?  *other |= it is not the thread's own. */
static inline GL_HOT bool is_known(const struct turn *now, struct gl_segments *segments, uint32_t id, bool crowd, uint32_t *other)
{
    const struct gl_batch *b = gl_batch_listed(segments, id);
    bool own = b->slot == now->t->slot;
    *other |= !own;
    return crowd ? own || gl_lock_says(now->t, id) : own | hint_says(now->t, b, id);
}

/* What most accesses of a trace are: plain, of a whole word, on a cell that holds nothing but the same.  What is tossed up (read or
 * write, whose access came before) is selected, not branched on.  access_alone() is the slow twin.  False: nothing was done.
 * crowd: many threads, where a lock says more than a hint (gl_ordered()). */
static inline GL_HOT bool access_whole(struct turn *now, struct gl_segments *segments, struct cell *c, uint32_t write, uint32_t site,
                                       bool crowd)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t mine = now->mine, w = (uint32_t)(word >> 32), r = (uint32_t)word, other = 0;
    bool wrote = w == mine, again = wrote | (r == mine);
    w = w ? w : mine; /* no access: as if it were our own */
    r = r ? r : mine;
    /* Each half is that of one plain access to the whole word?  Tags of the cell have the bit of atomic accesses. */
    if (((w & r & 0xF) ^ 0xF) | ((w | r) & GL_HALF_ATOMIC) || (w > r ? w : r) >= gl_half(GL_GROUP_FIRST, 0, 0))
        return false;
    if (!is_known(now, segments, gl_half_segment(w), crowd, &other) ||
        !is_known(now, segments, gl_half_segment(r), crowd, &other))
        return false;
    now->all++;
    now->writes += write;
    if (again && (!write || (wrote && r == mine))) { /* recorded, or covered by the thread's own write: as access_alone() has it */
        now->same++;
        return true;
    }
    now->fresh += !word;
    now->other += other;
    /* A write leaves nothing else, a read leaves the write. */
    gl_store_relaxed(&c->word, (word & 0xFFFFFFFF00000000ull & ((uint64_t)write - 1)) | (uint64_t)mine << 32 * write);
    gl_store_relaxed((_Atomic uint32_t *)&c->sites + write, site); /* as gl_site_half() */
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
    struct object *objects = e->object < (uint64_t)LEAF * LEAVES ? (struct object *)table_find(&s->mutexes, e->object) : NULL;
    if (!t || !objects)
        return;
    const struct gl_sync *sync = &objects[e->object % LEAF].mutex.sync;
    __builtin_prefetch(&t->seen[sync->node % GL_SEEN], 1);
    __builtin_prefetch(&t->hints[(sync->own - 1) & t->hint_mask], 1);
}

/* The segment that wrote a cell last; `any`, a segment that is there, if it is none.  (Computed: to branch on it would cost more than to fetch in vain.) */
static inline GL_HOT uint32_t writer_of(const struct cell *c, uint32_t any)
{
    uint32_t id = gl_half_segment((uint32_t)(gl_load_relaxed(&c->word) >> 32)); /* relaxed: only the caller is there */
    return any ^ ((id ^ any) & -(uint32_t)(id - 1 < GL_GROUP_FIRST - 1));
}

static inline GL_HOT void fetch_segment(struct gl_segments *segments, const struct cell *c, uint32_t any)
{
    if (!c)
        return;
    uint32_t id = writer_of(c, any);
    const struct gl_segment_chunk *chunk = gl_segment_chunk(segments, id);
    __builtin_prefetch(&chunk->lock[id % GL_SEGMENT_CHUNK]);
    __builtin_prefetch(&chunk->batch[id % GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH]); /* of a large batch: in vain */
}

/* The list of the segment's locks, if it is one of serials; else list 0, which is none. */
static inline GL_HOT void fetch_locks(struct gl_segments *segments, struct gl_lists *lists, const struct cell *c, uint32_t any)
{
    if (!c)
        return;
    uint32_t locks = gl_load_relaxed(gl_segment_lock(segments, writer_of(c, any))); /* relaxed: to fetch, not to judge */
    uint32_t listed = -(uint32_t)((locks & GL_LOCKS_LISTED) == GL_LOCKS_MANY);
    __builtin_prefetch(gl_list_at(lists, locks & listed & ~GL_LOCKS_MANY));
}

static inline GL_HOT size_t events_by(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status,
                                      bool crowd)
{
    struct gl_segments *segments = &s->core->segments;
    struct cell *near[AHEAD]; /* of the event at hand and the next ones; of another kind of event it is in vain, and does no harm */
    struct turn now = {.number = UINT64_MAX};
    uint32_t any = GL_SEGMENT_CHUNK; /* the first id of all; relaxed: nobody else is there */
    bool fetch = crowd && gl_load_relaxed(&segments->chunk[any / GL_SEGMENT_CHUNK]);
    for (size_t i = 0; i < n && i < AHEAD; i++)
        near[i] = cell_find(s, e[i].object >> 2);
    *status = GL_OK;
    for (size_t i = 0; i < n; i++, e++) {
        struct cell *c = near[i % AHEAD];
        if (i + AHEAD < n) {
            __builtin_prefetch(near[i % AHEAD] = cell_find(s, e[AHEAD].object >> 2), 1);
            if (fetch) {
                if (e[AHEAD_THREAD].thread != e[AHEAD_THREAD - 1].thread)
                    fetch_thread(s, e[AHEAD_THREAD].thread);
                if (e[AHEAD_LOCKS].op == GL_OP_ACQ)
                    fetch_sink(s, &e[AHEAD_LOCKS]);
                fetch_segment(segments, near[(i + AHEAD_THREAD) % AHEAD], any);
                fetch_locks(segments, &s->core->lists, near[(i + AHEAD_LOCKS) % AHEAD], any);
            }
        }
        if (__builtin_expect((e->op | (e->size ^ 4) << 1 | (e->object & 3) << 1) <= 1, 1)) { /* a plain access to a whole word */
            if (e->thread != now.number)
                turn_begin(&now, thread_find(s, e->thread), e->thread, crowd);
            if (now.mine && c && access_whole(&now, segments, c, e->op, e->site, crowd))
                continue;
        }
        turn_end(&now, crowd); /* what follows may end the thread, or begin its next segment */
        if (!event_quick(s, e, true, race, status))
            *status = gl_goldilocks_any(s, e, race);
        if (*status != GL_OK || gl_core_stopped(s->core)) /* the next call says so */
            return i + 1;
        turn_begin(&now, thread_find(s, e->thread), e->thread, crowd);
    }
    turn_end(&now, crowd);
    return n;
}

size_t gl_goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    if (gl_core_stopped(s->core)) {
        *status = gl_goldilocks_any(s, e, race); /* which says so */
        return 1;
    }
    if (gl_core_sweep_due(s->core))
        gl_goldilocks_sweep(s);
    return s->core->slots > s->core->many ? events_by(s, e, n, race, status, true) : events_by(s, e, n, race, status, false);
}
