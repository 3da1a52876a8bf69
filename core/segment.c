/* SPDX-License-Identifier: Apache-2.0
 *
 * The table behind segment ids, see segment.h.
 */
#include "core/segment.h"

#define CHUNKS (GL_SEGMENT_MAX / GL_SEGMENT_CHUNK) /* numbers 0 .. CHUNKS - 1 */
#define BATCHES (GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH) /* smallest ones in a chunk */
#define FREE UINT32_MAX /* slot of a freed batch; its base is the next one's first id, or the next chunk's number */

void gl_segments_init(struct gl_segments *s, const struct gl_env *env)
{
    s->env = env;
    s->chunks = 1;
    s->limit = CHUNKS;
    s->every = GL_SWEEP_LEAST;
}

static unsigned shift_of(unsigned level) { return 5 + 5 * level; }

/* Do several batches, and so several threads, have a part of the chunk?  Then all of it is used before long; as it is by one thread that has taken as many
 * before, but in a trace (batch_worth() in hb.c). */
static bool is_shared(const struct gl_segment_chunk *chunk) { return chunk->shift != shift_of(GL_SEGMENT_LEVELS - 1); }

/* Under the lock: the chunk has places for ends.  False: no memory. */
static bool ends_make(struct gl_segments *s, struct gl_segment_chunk *chunk)
{
    const size_t bytes = GL_SEGMENT_CHUNK * sizeof(_Atomic uint32_t);
    bool whole = is_shared(chunk) && s->chunks > 2; /* as in chunk_make() */
    if (!gl_load_relaxed(&chunk->end)) /* written under the lock only */
        gl_store_release(&chunk->end, whole ? gl_env_map_whole(s->env, bytes) : s->env->map(s->env->ctx, bytes)); /* pairs with gl_segment_end() */
    return gl_load_relaxed(&chunk->end) != NULL;
}

_Static_assert(1u << (5 + 5 * (GL_SEGMENT_LEVELS - 1)) == GL_SEGMENT_CHUNK, "the largest batch is a chunk");
_Static_assert(1u << 5 == GL_SEGMENT_BATCH, "the smallest batch");

/* Under the lock.  0: no memory, or all ids are in use. */
static uint32_t chunk_make(struct gl_segments *s, unsigned level)
{
    if (s->free_chunk) {
        uint32_t number = s->free_chunk;
        struct gl_segment_chunk *freed = gl_load_relaxed(&s->chunk[number]); /* written under the lock only */
        s->free_chunk = freed->batch[0].base;
        s->n_chunks--;
        freed->shift = shift_of(level);
        return number * GL_SEGMENT_CHUNK;
    }
    if (s->chunks >= s->limit)
        return 0;
    struct gl_segment_chunk *chunk = s->ahead;
    bool fresh = !chunk;
    if (fresh && !(chunk = s->env->map(s->env->ctx, sizeof *chunk)))
        return 0;
    s->ahead = NULL;
    chunk->shift = shift_of(level);
    if (fresh && s->env->soon && s->chunks > 1 && (is_shared(chunk) || s->env->fence)) /* the first is not used up by a short run */
        s->env->soon(s->env->ctx, chunk, sizeof *chunk);
    gl_store_release(&s->chunk[s->chunks], chunk); /* pairs with gl_segment_chunk() */
    return s->chunks++ * GL_SEGMENT_CHUNK;
}

/* Under the lock: the first id of a batch of this size; 0: as above. */
static uint32_t take(struct gl_segments *s, unsigned level)
{
    uint32_t first = s->next[level];
    if (level == 0 && s->free_batch) {
        first = s->free_batch;
        s->free_batch = gl_batch_of(s, first)->base;
        s->n_batches--;
        return first;
    }
    if (first % GL_SEGMENT_CHUNK == 0)
        first = chunk_make(s, level);
    if (first)
        s->next[level] = first + (1u << shift_of(level));
    return first;
}

static void chunk_unmap(struct gl_segments *s, struct gl_segment_chunk *chunk)
{
    if (gl_load_relaxed(&chunk->end)) /* relaxed: nobody else has it */
        s->env->unmap(s->env->ctx, gl_load_relaxed(&chunk->end), GL_SEGMENT_CHUNK * sizeof(uint32_t));
    s->env->unmap(s->env->ctx, chunk, sizeof *chunk);
}

/* Under the lock: `first`, of a batch that was taken, is where the next chunk should be made, before all threads that share this one
 * wait for who makes it under the lock. */
static bool is_due_ahead(const struct gl_segments *s, unsigned level, uint32_t first)
{
    return level < GL_SEGMENT_LEVELS - 1 && first % GL_SEGMENT_CHUNK == GL_SEGMENT_CHUNK / 4 * 3 &&
           first + (1u << shift_of(level)) == s->next[level] && !s->ahead && !s->free_chunk && s->chunks > 2 && s->chunks < s->limit;
}

/* Not under the lock. */
static void make_ahead(struct gl_segments *s, bool ends)
{
    struct gl_segment_chunk *chunk = gl_env_map_whole(s->env, sizeof *chunk);
    if (!chunk)
        return; /* who needs it tries again */
    if (ends)
        gl_store_relaxed(&chunk->end, gl_env_map_whole(s->env, GL_SEGMENT_CHUNK * sizeof(uint32_t))); /* relaxed: published by chunk_make() */
    gl_lock_take(&s->lock, s->env);
    struct gl_segment_chunk *second = s->ahead ? chunk : NULL;
    if (!second)
        s->ahead = chunk;
    gl_lock_drop(&s->lock);
    if (second)
        chunk_unmap(s, second);
}

uint32_t gl_segments_batch(struct gl_segments *s, uint32_t slot, uint32_t uid, uint32_t epoch, uint64_t taken, bool ends)
{
    unsigned level = 0;
    while (level + 1 < GL_SEGMENT_LEVELS && taken >> shift_of(level + 1)) /* at most half of what a thread takes is never used */
        level++;
    gl_lock_take(&s->lock, s->env);
    if (s->n_batches > s->chunks * (BATCHES / 4)) /* rather than more memory */
        level = 0;
    uint32_t first = take(s, level);
    while (!first && level > 0) /* there may be something left of the smaller ones */
        first = take(s, --level);
    ends = ends && first && ends_make(s, gl_segment_chunk(s, first));
    s->since += first ? 1u << shift_of(level) : 1;
    bool due = s->since >= s->every, due_ahead = is_due_ahead(s, level, first);
    gl_lock_drop(&s->lock);
    if (due_ahead)
        make_ahead(s, ends);
    if (due && s->env->sweep_due)
        s->env->sweep_due(s->env->ctx);
    if (first) {
        struct gl_segment_chunk *chunk = gl_segment_chunk(s, first);
        struct gl_batch *batch = &chunk->batch[first % GL_SEGMENT_CHUNK >> chunk->shift];
        *batch = (struct gl_batch){.slot = slot, .base = epoch - first, .uid = uid, .last = (1u << shift_of(level)) - 1, .ends = ends};
        if (level == GL_SEGMENT_LEVELS - 1)
            s->whole[first / GL_SEGMENT_CHUNK] = *batch;
    }
    return first;
}

/* ---- what a sweep found ---- */

/* Nothing is told yet of the ids from `first` on. */
static void forget(struct gl_segment_chunk *chunk, uint32_t first, uint32_t count)
{
    _Atomic uint32_t *end = gl_load_relaxed(&chunk->end); /* relaxed, here and below: nobody else is here */
    for (uint32_t i = first % GL_SEGMENT_CHUNK; count > 0; i++, count--) {
        gl_store_relaxed(&chunk->lock[i], 0);
        if (end)
            gl_store_relaxed(&end[i], 0);
    }
}

static void batch_free(struct gl_segments *s, struct gl_segment_chunk *chunk, uint32_t number, uint32_t k)
{
    uint32_t first = number * GL_SEGMENT_CHUNK + k * GL_SEGMENT_BATCH;
    if (chunk->batch[k].slot != FREE) {
        forget(chunk, first, GL_SEGMENT_BATCH);
        s->freed += GL_SEGMENT_BATCH;
    }
    chunk->batch[k] = (struct gl_batch){.slot = FREE, .base = s->free_batch, .last = GL_SEGMENT_BATCH - 1};
    s->free_batch = first;
    s->n_batches++;
}

/* A chunk of which nothing is used. */
static void chunk_free(struct gl_segments *s, struct gl_segment_chunk *chunk, uint32_t number)
{
    bool was_free = chunk->shift == shift_of(GL_SEGMENT_LEVELS - 1) && !s->whole[number].last;
    if (!was_free) {
        forget(chunk, 0, GL_SEGMENT_CHUNK);
        s->freed += GL_SEGMENT_CHUNK;
    }
    s->whole[number].last = 0;
    for (uint32_t k = 0; k < BATCHES; k++)
        chunk->batch[k] = (struct gl_batch){0};
    chunk->shift = shift_of(GL_SEGMENT_LEVELS - 1);
    chunk->batch[0].base = s->free_chunk;
    s->free_chunk = number;
    s->n_chunks++;
}

/* Larger batches become as many of the smallest. */
static void chunk_split(struct gl_segments *s, struct gl_segment_chunk *chunk, uint32_t number)
{
    for (uint32_t k = BATCHES; k-- > 0;) { /* from the end: the large ones lie at the beginning */
        uint32_t id = number * GL_SEGMENT_CHUNK + k * GL_SEGMENT_BATCH;
        struct gl_batch b = *gl_batch_of(s, id);
        b.last = GL_SEGMENT_BATCH - 1;
        chunk->batch[k] = b;
    }
    s->whole[number].last = 0;
    chunk->shift = shift_of(0);
}

static uint32_t count_used(const uint64_t *bits)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < BATCHES / 64; i++)
        for (uint64_t left = bits[i]; left; left &= left - 1)
            n++;
    return n;
}

/* Batches of chunk `number` that are handed out one after the other now: those from here on were not. */
static uint32_t handed_out(const struct gl_segments *s, uint32_t number, unsigned level)
{
    uint32_t next = s->next[level];
    return next % GL_SEGMENT_CHUNK && next / GL_SEGMENT_CHUNK == number ? next % GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH : BATCHES;
}

void gl_segments_free(struct gl_segments *s, const uint64_t *used, uint64_t work)
{
    gl_lock_take(&s->lock, s->env);
    s->free_batch = s->free_chunk = s->n_batches = s->n_chunks = 0;
    bool scarce = s->chunks > s->limit / 2; /* then splitting pays for few batches, too */
    for (uint32_t number = s->chunks; number-- > 1;) { /* from the end: the lowest are used again first */
        struct gl_segment_chunk *chunk = gl_load_relaxed(&s->chunk[number]);
        const uint64_t *bits = used + (size_t)number * (BATCHES / 64);
        uint32_t in_use = count_used(bits), until = handed_out(s, number, 0);
        if (handed_out(s, number, 1) < BATCHES)
            continue; /* later, as a whole */
        if (in_use == 0 && until == BATCHES) {
            chunk_free(s, chunk, number);
            continue;
        }
        if (chunk->shift != shift_of(0)) {
            if (BATCHES - in_use < (scarce ? 1 : BATCHES / 4))
                continue;
            chunk_split(s, chunk, number);
        }
        for (uint32_t k = until; k-- > 0;)
            if (!(bits[k / 64] >> k % 64 & 1))
                batch_free(s, chunk, number, k);
    }
    uint64_t left = (uint64_t)(s->limit - s->chunks + s->n_chunks) * GL_SEGMENT_CHUNK + (uint64_t)s->n_batches * GL_SEGMENT_BATCH;
    uint64_t every = work > GL_SWEEP_LEAST ? work : GL_SWEEP_LEAST, least = work / 16 + 1;
    if (every > left / 2) /* in time; but not again and again when hardly anything can be freed */
        every = left / 2 > least ? left / 2 : least;
    s->every = s->fixed ? s->fixed : every;
    s->since = 0;
    s->sweeps++;
    gl_lock_drop(&s->lock);
}

void gl_segments_handed_out(struct gl_segments *s, uint64_t *bits)
{
    gl_lock_take(&s->lock, s->env);
    for (uint32_t number = 1; number < s->chunks; number++) {
        const struct gl_segment_chunk *chunk = gl_load_relaxed(&s->chunk[number]); /* written under the lock only */
        uint32_t until = BATCHES;
        for (unsigned level = 0; level + 1 < GL_SEGMENT_LEVELS; level++) {
            uint32_t n = handed_out(s, number, level);
            until = n < until ? n : until;
        }
        for (uint32_t k = 0; k < until; k++)
            bits[number * (BATCHES / 64) + k / 64] |= 1ull << k % 64;
        if (chunk->shift != shift_of(0))
            continue;
        for (uint32_t k = 0; k < until; k++)
            if (chunk->batch[k].slot == FREE)
                bits[number * (BATCHES / 64) + k / 64] &= ~(1ull << k % 64);
    }
    for (uint32_t number = s->free_chunk; number; number = gl_load_relaxed(&s->chunk[number])->batch[0].base)
        for (uint32_t i = 0; i < BATCHES / 64; i++)
            bits[number * (BATCHES / 64) + i] = 0;
    gl_lock_drop(&s->lock);
}

void gl_segments_more(struct gl_segments *s, uint32_t ids)
{
    gl_lock_take(&s->lock, s->env);
    s->since += ids;
    gl_lock_drop(&s->lock);
}

void gl_segments_put_off(struct gl_segments *s)
{
    gl_lock_take(&s->lock, s->env);
    s->since = s->every - s->every / 16;
    gl_lock_drop(&s->lock);
}

void gl_segments_fini(struct gl_segments *s)
{
    for (size_t i = 0; i < s->chunks; i++) {
        struct gl_segment_chunk *c = gl_load_relaxed(&s->chunk[i]);
        if (c)
            chunk_unmap(s, c);
    }
    if (s->ahead)
        chunk_unmap(s, s->ahead);
}
