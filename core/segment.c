/* SPDX-License-Identifier: Apache-2.0
 *
 * The table behind segment ids, see segment.h.
 */
#include "core/segment.h"

#define CHUNKS (GL_SEGMENT_MAX / GL_SEGMENT_CHUNK) /* numbers 0 .. CHUNKS - 1 */

void gl_segments_init(struct gl_segments *s, const struct gl_env *env)
{
    s->env = env;
    s->chunks = 1;
}

/* Under the lock: the chunk has places for ends.  False: no memory. */
static bool ends_make(struct gl_segments *s, struct gl_segment_chunk *chunk)
{
    if (!gl_load_relaxed(&chunk->end)) /* written under the lock only */
        gl_store_release(&chunk->end, s->env->map(s->env->ctx, GL_SEGMENT_CHUNK * sizeof(_Atomic uint32_t))); /* pairs with gl_segment_end() */
    return gl_load_relaxed(&chunk->end) != NULL;
}

static unsigned shift_of(unsigned level) { return 5 + 5 * level; }

_Static_assert(1u << (5 + 5 * (GL_SEGMENT_LEVELS - 1)) == GL_SEGMENT_CHUNK, "the largest batch is a chunk");
_Static_assert(1u << 5 == GL_SEGMENT_BATCH, "the smallest batch");

/* Under the lock.  0: no memory, or all ids are in use. */
static uint32_t chunk_make(struct gl_segments *s, unsigned level)
{
    if (s->chunks >= CHUNKS)
        return 0;
    struct gl_segment_chunk *chunk = s->env->map(s->env->ctx, sizeof *chunk);
    if (!chunk)
        return 0;
    chunk->shift = shift_of(level);
    gl_store_release(&s->chunk[s->chunks], chunk); /* pairs with gl_segment_chunk() */
    return s->chunks++ * GL_SEGMENT_CHUNK;
}

/* Under the lock: the first id of a batch of this size; 0: as above. */
static uint32_t take(struct gl_segments *s, unsigned level)
{
    uint32_t first = s->next[level];
    if (first % GL_SEGMENT_CHUNK == 0)
        first = chunk_make(s, level);
    if (first)
        s->next[level] = first + (1u << shift_of(level));
    return first;
}

uint32_t gl_segments_batch(struct gl_segments *s, uint32_t slot, uint32_t uid, uint32_t epoch, uint64_t taken, bool ends)
{
    unsigned level = 0;
    while (level + 1 < GL_SEGMENT_LEVELS && taken >> shift_of(level + 1)) /* at most half of what a thread takes is never used */
        level++;
    gl_lock_take(&s->lock, s->env);
    uint32_t first = take(s, level);
    while (!first && level > 0) /* there may be something left of the smaller ones */
        first = take(s, --level);
    ends = ends && first && ends_make(s, gl_segment_chunk(s, first));
    gl_lock_drop(&s->lock);
    if (first) {
        struct gl_segment_chunk *chunk = gl_segment_chunk(s, first);
        struct gl_batch *batch = &chunk->batch[first % GL_SEGMENT_CHUNK >> chunk->shift];
        *batch = (struct gl_batch){.slot = slot, .epoch = epoch, .uid = uid, .last = (1u << shift_of(level)) - 1, .ends = ends};
        if (level == GL_SEGMENT_LEVELS - 1)
            s->whole[first / GL_SEGMENT_CHUNK] = *batch;
    }
    return first;
}

void gl_segments_fini(struct gl_segments *s)
{
    for (size_t i = 0; i < sizeof s->chunk / sizeof s->chunk[0]; i++) {
        struct gl_segment_chunk *c = gl_load_relaxed(&s->chunk[i]);
        if (!c)
            continue;
        if (gl_load_relaxed(&c->end))
            s->env->unmap(s->env->ctx, gl_load_relaxed(&c->end), GL_SEGMENT_CHUNK * sizeof(uint32_t));
        s->env->unmap(s->env->ctx, c, sizeof *c);
    }
}
