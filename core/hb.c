/* SPDX-License-Identifier: Apache-2.0
 *
 * The question: is a thread in the Goldilockset of a segment?  Short circuits first, each exact in
 * the direction in which it answers, then the column.  (TR section 3; where its Fig. 3 is wrong, and
 * why these are right: docs/algorithm.md.)
 */
#include "core/cell_inl.h"
#include "core/state.h"

static struct gl_hint *hint_of(struct gl_thread *t, uint32_t slot)
{
    struct gl_hint **page = &t->hints[slot / GL_HINTS];
    if (!*page) {
        *page = t->core->env.map(t->core->env.ctx, GL_HINTS * sizeof(struct gl_hint));
        if (!*page)
            return NULL; /* slower, not wrong */
    }
    return &(*page)[slot % GL_HINTS];
}

bool gl_ordered(struct gl_thread *t, uint32_t id)
{
    struct gl_segment *s = gl_segment_at(&t->core->segments, id);
    uint32_t u = s->slot;
    if (u == t->slot) {
        gl_count(t, GL_COUNT_rule_own_thread);
        return true;
    }
    struct gl_hint *h = hint_of(t, u);
    if (h && h->epoch >= s->epoch) { /* final: rows of threads only grow */
        gl_count(t, GL_COUNT_rule_hint);
        return true;
    }
    /* Rule lock-held.  u held this lock exclusively when the segment ended, t holds it exclusively now: u
     * gave it up after the segment, t took it after that.  relaxed: the value was stored by u while
     * it held the lock; if we read it while we hold the lock, u's hold came before ours. */
    uint32_t lock = gl_load_relaxed(&s->lock);
    if (lock) {
        struct gl_held *held = gl_held_find(t, lock);
        if (held && held->exclusive) {
            gl_count(t, GL_COUNT_rule_lock_held);
            if (GL_MUTANT(HINT_LEAK))
                gl_column_poke(&t->core->columns, t->slot, u, s->epoch);
            return true;
        }
    }
    if (h && h->exact == t->sink_count) { /* M[t][u] has not changed since we last read it */
        gl_count(t, GL_COUNT_rule_no_sink);
        return false;
    }
    uint32_t known = gl_column_value(&t->core->columns, t->slot, u, t->sink_pos);
    gl_count(t, GL_COUNT_rule_column);
    if (gl_core_stopped(t->core)) /* perhaps in this very replay: `known` may be too small, and a "no" a false race */
        return true;
    if (h) {
        h->epoch = known;
        h->exact = t->sink_count;
    }
    return known >= s->epoch;
}

bool gl_before_slow(struct gl_thread *t, uint32_t id)
{
    if (!gl_ordered(t, id))
        return false;
    t->before[id % GL_BEFORE] = id; /* final: see rule hint */
    return true;
}

bool gl_segment_begin(struct gl_thread *t)
{
    if (!t->batch_left) {
        t->batch = gl_segments_batch(&t->core->segments);
        if (!t->batch)
            return false;
        t->batch_left = GL_SEGMENT_BATCH;
    }
    uint32_t id = t->batch++;
    t->batch_left--;
    struct gl_segment *s = gl_segment_at(&t->core->segments, id);
    s->slot = t->slot; /* plain: not published before gl_access() stores the id in a cell */
    s->epoch = t->epoch;
    s->uid = t->uid;
    gl_store_relaxed(&s->lock, GL_MUTANT(STALE_ALOCK) ? t->mutant_lock : 0);
    t->segment = id;
    *t->key = gl_half(id, 0, 0);
    gl_count(t, GL_COUNT_segments);
    return true;
}
