/* SPDX-License-Identifier: Apache-2.0
 *
 * What most events of a trace are, known soon: a plain access within one word that is in the table, by a thread that runs.  Three ways, each
 * the slow twin of the one after it: goldilocks.c for any event, event_quick() for accesses within a word, access_whole() for
 * accesses of whole words when there is one caller.
 */
#include "core/goldilocks_state.h"

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

/* Is a half, as the caller found it, that of no access or of one plain access to the whole word (or of a group of them)?  Tags of
 * the cell have the bit of atomic accesses. */
static inline bool is_whole(uint32_t half) { return !half || (half & (GL_HALF_ATOMIC | 0xF)) == 0xF; }

/* What most accesses of a trace are: plain, of a whole word, on a cell that holds nothing but the same.  access_alone() is the slow twin.
 * False: nothing was done. */
static inline bool access_whole(struct gl_thread *t, struct cell *c, bool write, uint32_t site)
{
    uint64_t word = gl_load_relaxed(&c->word); /* relaxed: nobody else is there */
    uint32_t w = (uint32_t)(word >> 32), r = (uint32_t)word, mine = gl_half(t->segment, 0, 0xF);
    if (!t->segment || !is_whole(w) || !is_whole(r) || (w && w != mine && !before_direct(t, gl_half_segment(w))))
        return false;
    if (!write) {
        t->count[GL_COUNT_reads]++;
        if (r == mine || w == mine) { /* recorded, or covered by the thread's own write: see access_alone() */
            t->count[GL_COUNT_rule_same_segment]++;
            return true;
        }
        if (r && !known_direct(t, gl_half_segment(r))) {
            t->count[GL_COUNT_reads]--;
            return false;
        }
        gl_store_relaxed(&c->word, (uint64_t)w << 32 | mine);
    } else {
        if (r && r != mine && !before_direct(t, gl_half_segment(r)))
            return false;
        t->count[GL_COUNT_writes]++;
        if (w == mine && (!r || r == mine)) {
            t->count[GL_COUNT_rule_same_segment]++;
            return true;
        }
        gl_store_relaxed(&c->word, (uint64_t)mine << 32);
    }
    t->count[GL_COUNT_quick]++;
    gl_site_store(gl_site_half(&c->sites, write), site);
    return true;
}

/* How many events before its access a cell is fetched; and, with many threads, what its thread needs to judge it. */
#define AHEAD 16
#define AHEAD_THREAD 8

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

/* What the access will look at beside its cell, which has been fetched. */
static inline void fetch_more(struct gl_state *s, const struct gl_event *e)
{
    struct gl_thread *t = thread_find(s, e->thread);
    struct cell *c = cell_find(s, e->object >> 2);
    if (!t || !c)
        return;
    uint32_t id = (uint32_t)(gl_load_relaxed(&c->word) >> (32 + GL_HALF_SHIFT)); /* relaxed: only the caller is there */
    __builtin_prefetch(&t->core);
    __builtin_prefetch(&t->count);
    if (id - 1 < GL_GROUP_FIRST - 1) {
        __builtin_prefetch(gl_segment_lock(&s->core->segments, id));
        __builtin_prefetch(gl_batch_of(&s->core->segments, id));
    }
}

size_t gl_goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status)
{
    struct cell *near[AHEAD]; /* of the event at hand and the next ones; of another kind of event it is in vain, and does no harm */
    struct gl_thread *t = NULL;
    uint64_t number = UINT64_MAX; /* t's, while that is known: only gl_goldilocks_any() can change it */
    bool crowd = s->core->slots > s->core->many, /* what belongs to threads is rarely in a near cache then */ stopped = gl_core_stopped(s->core);
    for (size_t i = 0; i < n && i < AHEAD; i++)
        near[i] = cell_find(s, e[i].object >> 2);
    *status = GL_OK;
    size_t i = 0;
    do {
        struct cell *c = near[i % AHEAD];
        if (i + AHEAD < n) {
            __builtin_prefetch(near[i % AHEAD] = cell_find(s, e[i + AHEAD].object >> 2), 1);
            if (crowd && e[i + AHEAD_THREAD].op <= GL_OP_WRITE)
                fetch_more(s, &e[i + AHEAD_THREAD]);
        }
        if (e[i].op <= GL_OP_WRITE && e[i].size == 4 && !(e[i].object & 3) && !stopped) {
            if (e[i].thread != number) {
                t = thread_find(s, e[i].thread);
                number = e[i].thread;
            }
            if (t && c && access_whole(t, c, e[i].op == GL_OP_WRITE, e[i].site))
                continue;
        }
        if (event_quick(s, &e[i], true, race, status))
            continue;
        *status = gl_goldilocks_any(s, &e[i], race);
        number = UINT64_MAX;
        stopped = gl_core_stopped(s->core);
    } while (++i < n && *status == GL_OK);
    return i;
}
