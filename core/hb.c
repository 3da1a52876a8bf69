/* SPDX-License-Identifier: Apache-2.0
 *
 * The question: is a thread in the Goldilockset of a segment?  Short circuits first, each exact in
 * the direction in which it answers, then the column.  (TR section 3; where its Fig. 3 is wrong, and
 * why these are right: docs/algorithm.md.)
 */
#include "core/cell_inl.h"
#include "core/state.h"

/* More places for hints.  No memory: there are as many as there were. */
static void hints_grow(struct gl_thread *t)
{
    const struct gl_env *env = &t->core->env;
    uint32_t n = t->hint_mask + 1, mask = 2 * n - 1;
    struct gl_hint *more = env->map(env->ctx, 2 * n * sizeof *more);
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

/* The hint about a slot, in place of another slot's that was there. */
static struct gl_hint *hint_other(struct gl_thread *t, uint32_t slot)
{
    struct gl_hint *h = &t->hints[slot & t->hint_mask];
    if ((h->epoch || h->exact) && ++t->hints_lost > t->hint_mask) {
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

static inline struct gl_hint *hint_of(struct gl_thread *t, uint32_t slot)
{
    struct gl_hint *h = &t->hints[slot & t->hint_mask];
    return __builtin_expect(h->slot == slot, 1) ? h : hint_other(t, slot);
}

bool gl_ordered(struct gl_thread *t, uint32_t id)
{
    const struct gl_batch *b = gl_batch_of(&t->core->segments, id);
    uint32_t u = b->slot, epoch = gl_segment_epoch(b, id);
    if (u == t->slot) {
        gl_count(t, GL_COUNT_rule_own_thread);
        return true;
    }
    struct gl_hint *h = hint_of(t, u);
    if (h->epoch >= epoch) { /* final: rows of threads only grow */
        gl_count(t, GL_COUNT_rule_hint);
        return true;
    }
    /* Rule lock-held.  u held this lock exclusively when the segment ended, t holds it exclusively now: u
     * gave it up after the segment, t took it after that.  relaxed: the value was stored by u while
     * it held the lock; if we read it while we hold the lock, u's hold came before ours. */
    uint32_t lock = t->n_held ? gl_load_relaxed(gl_segment_lock(&t->core->segments, id)) : 0;
    if (lock) {
        struct gl_held *held = gl_held_find(t, lock);
        if (held && held->exclusive) {
            gl_count(t, GL_COUNT_rule_lock_held);
            if (GL_MUTANT(HINT_LEAK))
                gl_column_poke(&t->core->columns, t->slot, u, epoch);
            return true;
        }
    }
    if (h->exact == t->sink_count) { /* M[t][u] has not changed since we last read it */
        gl_count(t, GL_COUNT_rule_no_sink);
        return false;
    }
    uint32_t known = gl_column_value(&t->core->columns, t->slot, u, t->sink_pos);
    gl_count(t, GL_COUNT_rule_column);
    if (gl_core_stopped(t->core)) /* perhaps in this very replay: `known` may be too small, and a "no" a false race */
        return true;
    h->epoch = known;
    h->exact = t->sink_count;
    return known >= epoch;
}

/* Each of a group's accesses. */
static bool group_ordered(struct gl_thread *t, uint32_t id)
{
    const uint32_t *halves = gl_group_halves(&t->core->lists, gl_half(id, 0, 0));
    for (uint32_t i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        if (!gl_before(t, gl_half_segment(halves[i])))
            return false;
    return true;
}

bool gl_before_slow(struct gl_thread *t, uint32_t id)
{
    if (!(id >= GL_GROUP_FIRST ? group_ordered(t, id) : gl_ordered(t, id)))
        return false;
    t->before[id % GL_BEFORE] = id; /* final: see rule hint */
    return true;
}

void gl_hint_raise(struct gl_thread *t, uint32_t slot, uint32_t epoch)
{
    struct gl_hint *h = hint_of(t, slot);
    if (h->epoch < epoch)
        h->epoch = epoch;
}

bool gl_segment_begin(struct gl_thread *t)
{
    struct gl_segments *all = &t->core->segments;
    /* Successive ids are successive epochs: after an epoch without accesses (a thread's end) the rest of a batch is lost. */
    if (!t->batch_left || gl_segment_epoch(gl_batch_of(all, t->batch), t->batch) != t->epoch) {
        t->batch = gl_segments_batch(all, t->slot, t->uid, t->epoch);
        t->batch_left = t->batch ? GL_SEGMENT_BATCH : 0;
        if (!t->batch)
            return false;
    }
    uint32_t id = t->batch++;
    t->batch_left--;
    if (GL_MUTANT(STALE_ALOCK))
        gl_store_relaxed(gl_segment_lock(all, id), t->mutant_lock);
    t->segment = id;
    t->before[id % GL_BEFORE] = id; /* the thread's own past, from now on */
    *t->key = gl_half(id, 0, 0);
    gl_count(t, GL_COUNT_segments);
    return true;
}
