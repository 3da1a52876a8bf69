/* SPDX-License-Identifier: Apache-2.0
 *
 * The horizon of a thread: for each chunk of ids that one thread has as a batch, an id, such that every segment of the chunk with this id or a
 * smaller one is ordered before whatever the thread does from now on.  An access whose earlier accesses lie behind it needs to know nothing
 * else of them: neither whose they are nor their epochs.  Rule hint, by what a cell holds (docs/algorithm.md, 8c).
 *
 * It is raised when an access had to look for itself: successive ids of a batch are successive epochs, so an epoch that the thread is known to
 * be ordered after is an id.  What lies behind stays there: no id is handed out twice between two sweeps, and what a thread is ordered after once it is
 * ordered after for good.
 *
 * For the only caller there is, and few threads.  They take ids by chunks as long as there are fewer than GL_CHUNKS_PLENTY; where more threads come and
 * go, some share chunks, of which no horizon is kept.
 */
#include "core/goldilocks_state.h"

void gl_horizon_raise(struct gl_state *s, const struct gl_thread *t, uint32_t id)
{
    const struct gl_batch *b = gl_batch_whole(&s->core->segments, id);
    if (!b || id / GL_SEGMENT_CHUNK >= GL_HORIZON || id / GL_SEGMENT_CHUNK == t->segment / GL_SEGMENT_CHUNK) /* of its own batch: gl_horizon_own() */
        return;
    uint32_t more = s->known[t->slot][b->slot] - gl_segment_epoch(b, id), left = b->last - id % GL_SEGMENT_CHUNK;
    uint32_t *half = &s->horizon[t->slot][id / GL_SEGMENT_CHUNK], upto = gl_half(id + (more < left ? more : left), 1, 0xF);
    if (*half < upto)
        *half = upto;
}

void gl_horizon_own(struct gl_state *s, const struct gl_thread *t)
{
    uint32_t id = t->segment, chunk = id / GL_SEGMENT_CHUNK;
    const struct gl_batch *b = gl_batch_whole(&s->core->segments, id);
    if (!b || chunk >= GL_HORIZON)
        return;
    s->horizon[t->slot][chunk] = gl_half(id - 1, 1, 0xF); /* the smallest id of a chunk: nothing is behind */
    s->chunk_of[t->slot].first = chunk * GL_SEGMENT_CHUNK;
    s->chunk_of[t->slot].base = b->base;
}

/* That may have a horizon. */
static uint32_t chunks(const struct gl_state *s) { return s->core->segments.chunks < GL_HORIZON ? s->core->segments.chunks : GL_HORIZON; }

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
    for (uint32_t i = 0; i < chunks(s); i++)
        s->horizon[t->slot][i] = known ? s->horizon[creator->slot][i] : 0;
}

void gl_horizons_forget(struct gl_state *s)
{
    for (uint32_t slot = 0; slot < GL_MANY; slot++)
        for (uint32_t i = 0; i < chunks(s); i++)
            s->horizon[slot][i] = 0;
    for (uint32_t slot = 0; slot < GL_MANY; slot++)
        s->chunk_of[slot].first = 0;
}
