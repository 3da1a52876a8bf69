/* SPDX-License-Identifier: Apache-2.0
 *
 * The question: is a thread in the Goldilockset of a segment?  Short circuits first, each exact in
 * the direction in which it answers, then the column.  (TR section 3; where its Fig. 3 is wrong, and
 * why these are right: docs/algorithm.md.)
 */
#include "core/cell_inl.h"
#include "core/state.h"

#define HINTS_GROW 16u
_Static_assert(GL_HINTS_MOST == GL_HINTS_FEW * HINTS_GROW * HINTS_GROW, "they are never more");

/* More places for hints.  No memory: there are as many as there were. */
static void hints_grow(struct gl_thread *t)
{
    const struct gl_env *env = &t->core->env;
    uint32_t n = t->hint_mask + 1, mask = HINTS_GROW * n - 1;
    struct gl_hint *more = env->map(env->ctx, HINTS_GROW * n * sizeof *more);
    if (!more)
        return;
    for (uint32_t i = 0; i < n; i++)
        if ((t->hints[i].slot & t->hint_mask) == i) /* else it is an empty one, which says slot 0 */
            more[t->hints[i].slot & mask] = t->hints[i];
    if (t->hints != t->hints_few)
        env->unmap(env->ctx, t->hints, n * sizeof *more);
    t->hints = more;
    t->hint_mask = mask;
}

/* The hint about a slot, in place of another slot's that was there.  asked: somebody wants to know; with many threads, what sinks tell alone does
 * not make places for hints, since locks answer most questions. */
static struct gl_hint *hint_other(struct gl_thread *t, uint32_t slot, bool asked)
{
    struct gl_hint *h = &t->hints[slot & t->hint_mask];
    if ((h->epoch || h->exact) && (asked || t->core->slots <= t->core->many) && ++t->hints_lost > t->hint_mask) {
        t->hints_lost = 0;
        if (t->hint_mask + 1 < GL_HINTS_MOST)
            hints_grow(t);
        h = &t->hints[slot & t->hint_mask];
        if (h->slot == slot)
            return h;
    }
    *h = (struct gl_hint){.slot = slot};
    return h;
}

static inline struct gl_hint *hint_of(struct gl_thread *t, uint32_t slot, bool asked)
{
    struct gl_hint *h = &t->hints[slot & t->hint_mask];
    return __builtin_expect(h->slot == slot, 1) ? h : hint_other(t, slot, asked);
}

/* Does t hold one of these locks (gl_segment_lock())? */
static bool holds_one(struct gl_thread *t, uint32_t locks)
{
    if (locks < GL_LOCKS_READ)
        return locks && gl_held_find(t, locks);
    if (locks < GL_LOCKS_MANY)
        return false; /* one, for reading */
    if (locks >= GL_LOCKS_LISTED) {
        uint32_t words[GL_HOLDS_MOST], n = gl_holds_read(&t->core->holds, locks & ~GL_LOCKS_LISTED, words, GL_HOLDS_MOST);
        while (n-- > 0)
            if (gl_hold_exclusive(words[n]) && gl_held_find(t, gl_hold_serial(words[n])))
                return true;
        return false;
    }
    if (gl_locks_are_pair(locks))
        return gl_held_find(t, gl_locks_first(locks)) || gl_held_find(t, gl_locks_second(locks));
    const uint32_t *serials = gl_list_at(&t->core->lists, locks & ~GL_LOCKS_MANY)->value;
    for (uint32_t i = 0; i < GL_GROUP_MAX && serials[i]; i++)
        if (gl_held_find(t, serials[i]))
            return true;
    return false;
}

/* Rule lock-held.  u held these locks exclusively when the segment ended, t holds one now, perhaps for reading: u
 * gave it up after the segment, t took it after that.  acquire: pairs with gl_epoch_end_inl(), a list is whole, gl_segment_tell_alone() and gl_segment_tell_held().  The number was
 * stored by u in the segment, while it held the locks; if we read it while we hold one, u's hold of that came before ours, and its end
 * ended the segment, if nothing else did. */
static inline bool lock_held(struct gl_thread *t, uint32_t id, uint32_t u, uint32_t epoch)
{
    if (!t->n_held || !holds_one(t, gl_load_acquire(gl_segment_lock(&t->core->segments, id))))
        return false;
    gl_count(t, GL_COUNT_rule_lock_held);
    if (GL_MUTANT(HINT_LEAK))
        gl_column_poke(&t->core->columns, t->slot, u, epoch);
    return true;
}

bool gl_lock_says(struct gl_thread *t, uint32_t id)
{
    if (GL_MUTANT(HINT_LEAK)) /* is planted in lock_held(), which counts too */
        return false;
    return t->n_held && holds_one(t, gl_load_acquire(gl_segment_lock(&t->core->segments, id))); /* pairs with gl_epoch_end_inl() */
}

/* What the column said about M[t][u]. */
static bool note_answer(struct gl_thread *t, struct gl_hint *h, uint32_t epoch, struct gl_answer a)
{
    if (a.least > h->epoch)
        h->epoch = a.least;
    if (a.below && (h->exact != t->sink_count || a.below < h->below)) {
        h->exact = t->sink_count;
        h->below = a.below;
    }
    return a.least >= epoch;
}

enum ordered { NOT, ORDERED, NOT_KNOWN };

/* Is the segment ordered before what t does now?  NOT_KNOWN: only when the column is not to be asked. */
static inline enum ordered ordered(struct gl_thread *t, uint32_t id, bool ask)
{
    const struct gl_batch *b = gl_batch_of(&t->core->segments, id);
    uint32_t u = b->slot, epoch = gl_segment_epoch(b, id);
    if (u == t->slot) {
        gl_count(t, GL_COUNT_rule_own_thread);
        return ORDERED;
    }
    bool many = gl_load_relaxed(&t->core->slots) > t->core->many; /* relaxed, may be stale: sooner or later.  Then a lock answers mostly, a hint hardly ever */
    if (many && lock_held(t, id, u, epoch))
        return ORDERED;
    struct gl_hint *h = hint_of(t, u, true);
    if (h->epoch >= epoch) { /* final: rows of threads only grow */
        gl_count(t, GL_COUNT_rule_hint);
        return ORDERED;
    }
    if (!many && lock_held(t, id, u, epoch))
        return ORDERED;
    if (h->exact == t->sink_count && epoch >= h->below) { /* M[t][u] has not changed since we last asked */
        gl_count(t, GL_COUNT_rule_no_sink);
        return NOT;
    }
    if (!ask)
        return gl_column_least(&t->core->columns, t->slot, u) >= epoch ? ORDERED : NOT_KNOWN;
    struct gl_question q = {
        .t = t->slot, .u = u, .epoch = epoch, .upto = t->sink_pos, .end = gl_segment_end(&t->core->segments, id), .row = t->row};
    struct gl_answer a = gl_column_ask(&t->core->columns, &q);
    gl_count(t, GL_COUNT_rule_column);
    if (gl_core_stopped(t->core)) /* perhaps in this very replay: the answer may be too small, and a "no" a false race */
        return ORDERED;
    return note_answer(t, h, epoch, a) ? ORDERED : NOT;
}

bool gl_ordered(struct gl_thread *t, uint32_t id) { return ordered(t, id, true) == ORDERED; }

bool gl_sync_before(struct gl_thread *t, const struct gl_sync *s)
{
    if (s->version == 0 || !s->own || s->own == t->own)
        return true;
    struct gl_hint *h = hint_of(t, gl_own_slot(s->own), true);
    if (h->epoch >= s->epoch)
        return true;
    if (h->exact == t->sink_count && s->epoch >= h->below)
        return false;
    struct gl_question q = {.t = t->slot, .u = h->slot, .epoch = s->epoch, .upto = t->sink_pos};
    struct gl_answer a = gl_column_ask(&t->core->columns, &q);
    return gl_core_stopped(t->core) || note_answer(t, h, s->epoch, a); /* stopped: as in ordered() */
}

uint32_t gl_hint_epoch(struct gl_thread *t, uint32_t slot)
{
    const struct gl_hint *h = &t->hints[slot & t->hint_mask];
    return h->slot == slot ? h->epoch : 0;
}

/* Each of a group's accesses. */
static bool group_ordered(struct gl_thread *t, uint32_t id, bool ask)
{
    const uint32_t *halves = gl_group_halves(&t->core->lists, gl_half(id, 0, 0));
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        if (!(ask ? gl_before(t, gl_half_segment(halves[i])) : gl_before_known(t, gl_half_segment(halves[i]))))
            return false;
    return true;
}

static inline bool before_slow(struct gl_thread *t, uint32_t id, bool ask)
{
    if (!(id >= GL_GROUP_FIRST ? group_ordered(t, id, ask) : ordered(t, id, ask) == ORDERED))
        return false;
    t->before[id % GL_BEFORE] = id; /* final: see rule hint */
    return true;
}

bool gl_before_slow(struct gl_thread *t, uint32_t id) { return before_slow(t, id, true); }

bool gl_before_known_slow(struct gl_thread *t, uint32_t id)
{
    return before_slow(t, id, gl_load_relaxed(&t->core->slots) <= t->core->many); /* relaxed, may be stale: sooner or later */
}

bool gl_before_by_row(struct gl_thread *t, uint32_t id)
{
    if (gl_before_known(t, id))
        return true;
    const struct gl_batch *b = gl_batch_of(&t->core->segments, id);
    struct gl_question q = {.t = t->slot, .u = b->slot, .epoch = gl_segment_epoch(b, id), .upto = t->sink_pos, .end = gl_segment_end(&t->core->segments, id)};
    bool yes = false;
    return q.end && gl_row_says(&t->core->columns, &q, gl_column_least(&t->core->columns, q.u, q.u) >= q.epoch, &yes) && yes;
}

static void hint_raise(struct gl_thread *t, uint32_t slot, uint32_t epoch, bool asked)
{
    struct gl_hint *h = hint_of(t, slot, asked);
    if (h->epoch < epoch)
        h->epoch = epoch;
}

void gl_hint_raise(struct gl_thread *t, uint32_t slot, uint32_t epoch) { hint_raise(t, slot, epoch, false); }

void gl_sink_end(struct gl_thread *t, struct gl_sync *end)
{
    gl_sink(t, end);
    if (!end->own || end->own == t->own)
        return;
    if (t->ends_seen++ > t->hint_mask && t->hint_mask + 1 < GL_HINTS_MOST) /* who waits for threads will look at what they all did */
        hints_grow(t);
    hint_raise(t, gl_own_slot(end->own), end->epoch, true);
}

/* How many ids the thread has taken, as gl_segments_batch() is told. In a trace, where one caller has all threads, more: with few threads each has a
 * chunk of its own, as long as those are plenty (goldilocks_horizon.c); with more, accesses to what the thread used before are told by the batch. */
#define MORE_AFTER 64u
#define MORE_THREADS 512u
static uint64_t batch_worth(const struct gl_thread *t)
{
    const struct gl_core *core = t->core;
    const struct gl_segments *all = &core->segments;
    uint64_t taken = t->count[GL_COUNT_segments], least = 0;
    uint32_t slots = gl_load_relaxed(&core->slots); /* relaxed, here and for `chunks`: there is one caller */
    if (all->fixed && all->fixed < GL_SEGMENT_BATCH)
        return taken;
    if (core->horizons && all->chunks < GL_CHUNKS_PLENTY && all->chunks < all->limit / 8)
        least = GL_SEGMENT_CHUNK;
    else if (!core->env.fence && slots > core->many && slots <= MORE_THREADS && taken >= MORE_AFTER)
        least = gl_segments_ids(1);
    return taken > least ? taken : least;
}

/* A batch for the present epoch and those after it; false: none left. */
static __attribute__((noinline)) bool batch_take(struct gl_thread *t)
{
    struct gl_segments *all = &t->core->segments;
    t->batch_left = 0;
    if (t->epoch > GL_EPOCH_MOST - GL_SEGMENT_CHUNK) /* a batch could go on beyond */
        return false;
    uint32_t first = gl_segments_batch(all, t->slot, t->uid, t->epoch, batch_worth(t),
                                      gl_load_relaxed(&t->core->slots) > t->core->many); /* relaxed: as in ordered() */
    if (!first)
        return false; /* t->batch tells what the last one was: gl_thread_last_id() */
    t->batch = t->own_first = first;
    if (t->own_least > first)
        t->own_least = first;
    t->whole = first | gl_segments_level(gl_batch_of(all, first)->last + 1);
    /* A sweep that is wanted after fewer than a batch has comes after each: none of them is used for longer than it must (tests). */
    t->batch_left = all->fixed && all->fixed < GL_SEGMENT_BATCH ? 1 : gl_batch_of(all, first)->last + 1;
    t->own_span = t->batch_left - 1;
    return true;
}

bool gl_segment_begin(struct gl_thread *t)
{
    struct gl_segments *all = &t->core->segments;
    /* Successive ids are successive epochs: after an epoch without accesses (a thread's end) the rest of a batch is lost. */
    if ((!t->batch_left || gl_segment_epoch(gl_batch_of(all, t->batch), t->batch) != t->epoch) && !batch_take(t))
        return false;
    uint32_t id = t->batch++;
    t->batch_left--;
    t->segment = id;
    if (t->n_held > 1)
        gl_segment_tell_held(t);
    else
        gl_segment_tell_alone(t);
    if (GL_MUTANT(STALE_ALOCK) && !gl_load_relaxed(gl_segment_lock(all, id)))
        gl_store_relaxed(gl_segment_lock(all, id), t->mutant_lock);
    t->before[id % GL_BEFORE] = id; /* the thread's own past, from now on */
    *t->key = gl_half(id, 0, 0);
    gl_count(t, GL_COUNT_segments);
    return true;
}
