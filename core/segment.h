/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: all accesses that one thread makes in one epoch.  GLS(x) depends only on the segment of
 * x's last access (segment lemma, docs/algorithm.md), so cells store a segment's id and nothing else.
 *
 * An id is taken only by a segment that records an access.  Threads take ids in batches, so that the
 * shared counter is touched once per batch.
 *
 * Who may write: the owning thread, before it publishes the id in a cell (all fields), and `lock`
 * once more when the segment ends.  `lock` may be read stale as 0: then the question is answered by
 * the column instead, never wrongly (hb.c, rule lock-held).
 */
#ifndef GL_CORE_SEGMENT_H
#define GL_CORE_SEGMENT_H

#include "core/atomic.h"

#define GL_SEGMENT_BITS 27
#define GL_SEGMENT_MAX ((1u << GL_SEGMENT_BITS) - 4) /* the highest ids are tags of a cell */
#define GL_SEGMENT_CHUNK 4096u
#define GL_SEGMENT_BATCH 32u

struct gl_segment {
    uint32_t slot;         /* whose */
    uint32_t epoch;        /* 1, 2, ...: goes on when a slot is reused */
    uint32_t uid;          /* the caller's number of the thread; slots are reused, numbers are not */
    _Atomic uint32_t lock; /* serial of a lock held exclusively at the segment's end; 0: none, or open */
};

struct gl_segments {
    const struct gl_env *env;
    _Atomic uint32_t next; /* first id not handed out in a batch */
    _Atomic(struct gl_segment *) chunk[(1u << GL_SEGMENT_BITS) / GL_SEGMENT_CHUNK];
};

void gl_segments_init(struct gl_segments *s, const struct gl_env *env);
void gl_segments_fini(struct gl_segments *s);

/* GL_SEGMENT_BATCH fresh ids, the first is returned; 0: none left or no memory. */
uint32_t gl_segments_batch(struct gl_segments *s);

/* The entry of an id that was read from a cell or handed out to the caller. */
static inline struct gl_segment *gl_segment_at(struct gl_segments *s, uint32_t id)
{
    /* acquire: pairs with gl_segments_batch() */
    return gl_load_acquire(&s->chunk[id / GL_SEGMENT_CHUNK]) + id % GL_SEGMENT_CHUNK;
}

#endif
