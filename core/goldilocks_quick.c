/* SPDX-License-Identifier: Apache-2.0
 *
 * What most events of a trace are, known soon: a plain access within one word that is in the table, by a thread that runs.  Four ways, each
 * the slow twin of the one after it: goldilocks.c for any event, event_quick() for accesses within a word, access_whole() for
 * accesses of whole words when there is one caller, access_behind() for those among them that lie behind the thread's horizon (the last two
 * in goldilocks_lanes.c).
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
    if (word >> 32 == GL_CELL_SIDE) { /* what many threads read */
        bool done = !write && gl_access_read_alone(t, (struct gl_cell){&c->word, &c->sites}, mine, site);
        t->count[GL_COUNT_reads] += done;
        t->count[GL_COUNT_quick] += done;
        return done;
    }
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
    if (__builtin_expect(s->fold_at_once, 0))
        gl_cell_fold(t, (struct gl_cell){&cells[word % LEAF].word, &cells[word % LEAF].sites});
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
    if (!gl_load_relaxed(&s->lanes_stale)) /* relaxed, twice: for events(), which nobody calls meanwhile */
        gl_store_relaxed(&s->lanes_stale, true);
    return event_quick(s, e, false, race, &status) ? status : gl_goldilocks_any(s, e, race);
}

bool gl_goldilocks_quick(struct gl_state *s, const struct gl_event *e, struct gl_race *race, gl_status *status)
{
    return event_quick(s, e, true, race, status);
}
