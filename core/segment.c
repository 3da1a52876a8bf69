/* SPDX-License-Identifier: Apache-2.0
 *
 * The table behind segment ids, see segment.h.
 */
#include "core/segment.h"

void gl_segments_init(struct gl_segments *s, const struct gl_env *env)
{
    s->env = env;
    gl_store_relaxed(&s->next, GL_SEGMENT_BATCH); /* id 0 means none; its batch is never handed out */
}

/* The chunk's places for ends.  False: no memory. */
static bool ends_make(struct gl_segments *s, struct gl_segment_chunk *chunk)
{
    _Atomic uint32_t *was = gl_load_acquire(&chunk->end), *fresh; /* pairs with the publication below */
    if (was)
        return true;
    fresh = s->env->map(s->env->ctx, GL_SEGMENT_CHUNK * sizeof *fresh);
    if (!fresh)
        return false;
    if (!gl_cas_acq_rel(&chunk->end, &was, fresh)) /* release: pairs with gl_segment_end() */
        s->env->unmap(s->env->ctx, fresh, GL_SEGMENT_CHUNK * sizeof *fresh);
    return true;
}

uint32_t gl_segments_batch(struct gl_segments *s, uint32_t slot, uint32_t uid, uint32_t epoch, bool ends)
{
    uint32_t first = gl_load_relaxed(&s->next);
    do {
        if (first + GL_SEGMENT_BATCH > GL_SEGMENT_MAX)
            return 0;
    } while (!atomic_compare_exchange_weak_explicit(&s->next, &first, first + GL_SEGMENT_BATCH, memory_order_relaxed,
                                                    memory_order_relaxed)); /* relaxed: only uniqueness matters */
    _Atomic(struct gl_segment_chunk *) *place = &s->chunk[first / GL_SEGMENT_CHUNK];
    struct gl_segment_chunk *chunk = gl_load_acquire(place); /* pairs with the publication below, by another thread */
    if (!chunk) {
        struct gl_segment_chunk *fresh = s->env->map(s->env->ctx, sizeof *fresh);
        if (!fresh)
            return 0;
        if (gl_cas_acq_rel(place, &chunk, fresh)) /* release: pairs with gl_segment_chunk() */
            chunk = fresh;
        else
            s->env->unmap(s->env->ctx, fresh, sizeof *fresh);
    }
    chunk->batch[first % GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH] = (struct gl_batch){
        .slot = slot, .epoch = epoch, .uid = uid, .ends = ends && ends_make(s, chunk)};
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
