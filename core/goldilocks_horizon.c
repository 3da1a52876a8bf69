/* SPDX-License-Identifier: Apache-2.0
 *
 * The horizon of a thread: an id of a segment, such that every segment with this id or a smaller one, whoever's, is ordered before whatever
 * the thread does from now on.  An access whose earlier accesses lie behind it needs to know nothing else of them: neither whose they are
 * nor their epochs.  Rule hint for all threads at once (docs/algorithm.md, 8c).
 *
 * It is raised by a walk over the batches of ids in the order of their ids, which is the order in which they were handed out until a sweep frees
 * some.  The walk stops at the first id that may be of a segment that the thread is not ordered after, which ids that
 * are at hand and not yet used are.  What it passes stays behind: no id is handed out twice between two sweeps, and what a thread is
 * ordered after once it is ordered after for good.
 *
 * For the only caller there is, and few threads: where they are many, one is always far behind.
 */
#include "core/goldilocks_state.h"

/* Batches walked over at a time, and questions to columns in one walk. */
#define WALK 64u
#define QUESTIONS 8u
/* Accesses that the horizon did not answer before the next walk: at least, and at most, after walks in vain. */
#define PATIENCE_LEAST 8u
#define PATIENCE_MOST 4096u

/* The greatest epoch of the batch's slot that t is known to be ordered after.  ask: the column, when that is less than `epoch`, of segment id. */
static uint32_t known_upto(struct gl_state *s, struct gl_thread *t, const struct gl_batch *b, uint32_t id, uint32_t epoch, uint32_t *ask)
{
    if (b->slot == t->slot)
        return t->epoch - 1; /* a segment that goes on is the present one, which is left out: see behind_of() */
    uint32_t *known = &s->known[t->slot][b->slot];
    if (*known < epoch && *ask > 0 && gl_hint_epoch(t, b->slot) < epoch) {
        --*ask;
        (void)gl_ordered(t, id); /* for the hint: a "no" tells as much as a "yes" */
    }
    uint32_t hint = gl_hint_epoch(t, b->slot);
    if (hint > *known)
        *known = hint;
    return *known;
}

/* Has the thread whose batch it is ended, and is t ordered after all of it?  Then nobody will use the rest of the batch. */
static bool is_over(struct gl_state *s, const struct gl_batch *b, uint32_t upto)
{
    const struct thread *threads = (const struct thread *)table_find(&s->threads, b->uid);
    return threads && gl_load_acquire(&threads[b->uid % LEAF].ended) && upto >= threads[b->uid % LEAF].last; /* acquire: pairs with thread_end() */
}

static void walk(struct gl_state *s, struct gl_thread *t, struct gl_horizon *h)
{
    struct gl_segments *all = &s->core->segments;
    uint32_t id = gl_half_segment(h->half) + 1, ask = QUESTIONS;
    if (id < GL_SEGMENT_CHUNK) /* the first id that there is */
        id = GL_SEGMENT_CHUNK;
    for (uint32_t n = 0; n < WALK && id < GL_SEGMENT_MAX && gl_segment_chunk(all, id); n++) {
        const struct gl_batch *b = gl_batch_listed(all, id);
        if (!b->last || b->slot >= GL_MANY) /* not handed out, or freed and to be handed out again */
            break;
        uint32_t end = (id | b->last) + 1, epoch = gl_segment_epoch(b, id), upto = known_upto(s, t, b, id, epoch, &ask);
        uint32_t behind = upto < epoch ? 0 : upto - epoch + 1;
        if (behind < end - id && !is_over(s, b, upto)) {
            id += behind;
            break;
        }
        id = end;
    }
    if (id > GL_SEGMENT_CHUNK)
        h->half = gl_half(id - 1, 1, 0xF);
}

void gl_horizon_raise(struct gl_state *s, struct gl_thread *t)
{
    struct gl_horizon *h = &s->horizon[t->slot];
    uint32_t before = h->half;
    walk(s, t, h);
    bool little = h->half - before < gl_half(GL_SEGMENT_BATCH, 0, 0);
    h->patience = !little ? PATIENCE_LEAST : h->patience < PATIENCE_MOST ? 2 * h->patience : PATIENCE_MOST;
    h->missed = 0;
}

void gl_horizon_begin(struct gl_state *s, const struct gl_thread *t, const struct gl_thread *creator)
{
    if (t->slot >= GL_MANY || (creator && creator->slot >= GL_MANY))
        return;
    bool known = creator && s->known_by[creator->slot] == creator->uid && s->known[creator->slot][creator->slot];
    uint32_t *row = s->known[t->slot];
    for (uint32_t i = 0; i < GL_MANY; i++)
        row[i] = known ? s->known[creator->slot][i] : 0;
    if (known)
        row[creator->slot] = creator->epoch - 1;
    row[t->slot] = UINT32_MAX; /* its own past */
    s->known_by[t->slot] = t->uid;
    s->horizon[t->slot] = (struct gl_horizon){.half = known ? s->horizon[creator->slot].half : 0, .patience = PATIENCE_LEAST};
}

void gl_horizons_forget(struct gl_state *s)
{
    for (uint32_t i = 0; i < GL_MANY; i++)
        s->horizon[i].half = 0;
}
