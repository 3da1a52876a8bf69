/* SPDX-License-Identifier: Apache-2.0
 *
 * Segments: all accesses that one thread makes in one epoch, and after it while nobody can know of its end (gl_segment_resume()).  GLS(x) depends only on the segment of
 * x's last access (segment lemma, docs/algorithm.md), so cells store a segment's id and nothing else.
 *
 * An id is taken only by a segment that records an access.  Threads take ids in batches; a batch belongs to one thread and
 * to successive epochs, so what an id stands for is known per batch.  A thread that has taken many ids gets larger batches, up
 * to a whole chunk: then few lines of memory answer for all its segments, which is what a program needs that takes a lock for a
 * few accesses, millions of times.  Only the locks at a segment's end are known one by one, and where that is in the log; the latter
 * where it may be asked for.
 *
 * Who may write: the owning thread; a batch before the first id of it is published in a cell, the locks while it holds
 * them and the segment is open (a release would end it): right before its end, or earlier (gl_thread.lock_at_once).  They may be read
 * stale as 0: then the question is answered by the column instead, never wrongly (hb.c, rule lock-held).
 *
 * Ids that no cell holds any more are found by a sweep (sweep.h) and handed out again, by smallest batches or by chunks.
 */
#ifndef GL_CORE_SEGMENT_H
#define GL_CORE_SEGMENT_H

#include "core/atomic.h"

#define GL_SEGMENT_BITS 27
#define GL_SEGMENT_MAX ((1u << GL_SEGMENT_BITS) - (1u << 22) - 4) /* above: ids of groups (group.h), then tags of a cell */
#define GL_SEGMENT_BATCH 32u                        /* ids in the smallest batch */
#define GL_SEGMENT_CHUNK (1024u * GL_SEGMENT_BATCH) /* ids */
#define GL_CHUNKS_PLENTY 512u /* in use: with more, a thread of a trace has one of its own for many ids only */
#define GL_SEGMENT_LEVELS 3u                        /* batches of 32, 1024 and 32,768 ids: 5 bits more each */
static inline uint32_t gl_segments_level(uint32_t ids) { return (uint32_t)__builtin_ctz(ids) / 5 - 1; }
static inline uint32_t gl_segments_ids(uint32_t level) { return GL_SEGMENT_BATCH << 5 * level; }

struct gl_batch {
    uint32_t slot;  /* whose */
    uint32_t base;  /* id + base: its epoch, modulo 2^32; 1, 2, ...: goes on when a slot is reused */
    uint32_t uid;   /* the caller's number of the thread; slots are reused, numbers are not */
    uint32_t last : 31; /* its ids, less one: a power of two, less one */
    uint32_t ends : 1;  /* gl_segment_end() is there for its ids */
};

struct gl_segment_chunk {
    uint32_t shift;                  /* 1 << shift ids in a batch; constant */
    _Atomic(_Atomic uint32_t *) end; /* GL_SEGMENT_CHUNK of gl_segment_end() */
    struct gl_batch batch[GL_SEGMENT_CHUNK / GL_SEGMENT_BATCH]; /* those beyond CHUNK >> shift are not used */
    _Atomic uint32_t lock[GL_SEGMENT_CHUNK]; /* locks held, see GL_LOCKS_MANY; 0: none, or none told yet */
};

/* gl_segment_chunk.lock: the serial of one lock, held exclusively; with GL_LOCKS_READ, for reading; with GL_LOCKS_MANY the number of a list of
 * several serials (group.h), or two; with both the number of a list of holds of either kind (holds.h). */
#define GL_LOCKS_MANY (1u << 31)
#define GL_LOCKS_READ (1u << 30) /* serials from here on are not told */
#define GL_LOCKS_LISTED (GL_LOCKS_MANY | GL_LOCKS_READ)
/* With GL_LOCKS_MANY alone: in place of a list, two serials, which are small. */
#define GL_LOCKS_PAIR (1u << 29)
#define GL_LOCKS_PAIR_BITS 14
static inline uint32_t gl_locks_pair(uint32_t a, uint32_t b) { return GL_LOCKS_MANY | GL_LOCKS_PAIR | a << GL_LOCKS_PAIR_BITS | b; }
static inline bool gl_locks_are_pair(uint32_t locks)
{
    return (locks & (GL_LOCKS_LISTED | GL_LOCKS_PAIR)) == (GL_LOCKS_MANY | GL_LOCKS_PAIR);
}
static inline uint32_t gl_locks_first(uint32_t pair) { return pair >> GL_LOCKS_PAIR_BITS & ((1u << GL_LOCKS_PAIR_BITS) - 1); }
static inline uint32_t gl_locks_second(uint32_t pair) { return pair & ((1u << GL_LOCKS_PAIR_BITS) - 1); }

#define GL_SWEEP_LEAST (1u << 22) /* ids between two sweeps, at least: 19 MB of what is known of them */

struct gl_segments {
    const struct gl_env *env;
    struct gl_lock lock;              /* guards what is before `chunk` */
    uint32_t next[GL_SEGMENT_LEVELS]; /* first id not handed out in a batch of this size; a multiple of a chunk: a chunk is needed */
    uint32_t chunks;                  /* in use; the first is never made, as id 0 means none */
    uint32_t limit;                   /* of them; less for tests */
    uint32_t free_batch, n_batches;   /* freed smallest batches: the first one's first id, and how many; 0: none */
    uint32_t free_chunk, n_chunks;    /* the same for whole chunks, by number */
    struct gl_segment_chunk *ahead;   /* one that was made before it was needed; NULL: none */
    uint64_t since, every;            /* ids handed out since the last sweep; so many, and another is due */
    uint64_t fixed;                   /* `every` as the front end wants it; 0: as pays */
    uint64_t sweeps, freed;           /* how many sweeps there were, and ids that they freed: for the counters */
    _Atomic(struct gl_segment_chunk *) chunk[(1u << GL_SEGMENT_BITS) / GL_SEGMENT_CHUNK];
    struct gl_batch whole[(1u << GL_SEGMENT_BITS) / GL_SEGMENT_CHUNK]; /* a copy, of a chunk that is one batch; last == 0: it is not */
};

void gl_segments_init(struct gl_segments *s, const struct gl_env *env);
void gl_segments_fini(struct gl_segments *s);

/* A batch of fresh ids for this thread's epochs from `epoch` on, the first is returned (its batch says how many); 0: none left or
 * no memory.  taken: how many ids the thread had so far, which says how large a batch is worth it.  ends: their ends will be kept,
 * if there is memory for that.  Any thread, any time. */
uint32_t gl_segments_batch(struct gl_segments *s, uint32_t slot, uint32_t uid, uint32_t epoch, uint64_t taken, bool ends);

/* Nobody is in the core: ids in batches of GL_SEGMENT_BATCH whose bit in `used` is 0 are in no cell and no thread's, and may be
 * handed out again.  work: what the sweep cost, in ids for which that is little. */
void gl_segments_free(struct gl_segments *s, const uint64_t *used, uint64_t work);
/* Sets the bits of the smallest batches that are handed out as of now, or were and have not been freed. */
void gl_segments_handed_out(struct gl_segments *s, uint64_t *bits);
/* Any thread, any time: something that a sweep frees has come, as large as what is known of so many ids. */
void gl_segments_more(struct gl_segments *s, uint32_t ids);
/* Any thread, any time: it cannot be done now; it is due again after some more ids. */
void gl_segments_put_off(struct gl_segments *s);

/* For an id that was read from a cell or handed out to the caller: */
static inline struct gl_segment_chunk *gl_segment_chunk(struct gl_segments *s, uint32_t id)
{
    return gl_load_acquire(&s->chunk[id / GL_SEGMENT_CHUNK]); /* acquire: pairs with chunk_make() */
}
/* As gl_batch_of(), in one way for all ids: for who has no use for a branch that depends on them. */
static inline const struct gl_batch *gl_batch_listed(struct gl_segments *s, uint32_t id)
{
    const struct gl_segment_chunk *c = gl_segment_chunk(s, id);
    return &c->batch[id % GL_SEGMENT_CHUNK >> c->shift];
}
/* Its batch, if that is a whole chunk; else NULL, also for the id of a group. */
static inline const struct gl_batch *gl_batch_whole(struct gl_segments *s, uint32_t id)
{
    const struct gl_batch *whole = &s->whole[id / GL_SEGMENT_CHUNK];
    return whole->last ? whole : NULL;
}
static inline const struct gl_batch *gl_batch_of(struct gl_segments *s, uint32_t id)
{
    const struct gl_batch *whole = gl_batch_whole(s, id);
    if (whole)
        return whole;
    return gl_batch_listed(s, id);
}
static inline uint32_t gl_segment_epoch(const struct gl_batch *b, uint32_t id) { return b->base + id; }
static inline _Atomic uint32_t *gl_segment_lock(struct gl_segments *s, uint32_t id)
{
    return &gl_segment_chunk(s, id)->lock[id % GL_SEGMENT_CHUNK];
}

/* Where the segment's end is in the log, see gl_end_of(); 0: it has not ended, as far as can be seen.  NULL: not kept. */
static inline _Atomic uint32_t *gl_segment_end(struct gl_segments *s, uint32_t id)
{
    if (!gl_batch_of(s, id)->ends)
        return NULL;
    return gl_load_acquire(&gl_segment_chunk(s, id)->end) + id % GL_SEGMENT_CHUNK; /* acquire: pairs with ends_make() */
}

/* A position of the log as an end, never 0; and the position at or after `from`, which is less than GL_END_WRAP before it. */
#define GL_END_WRAP 0xFFFFFFFFull
static inline uint32_t gl_end_of(uint64_t pos) { return (uint32_t)(pos % GL_END_WRAP) + 1; }
static inline uint64_t gl_end_after(uint32_t end, uint64_t from)
{
    return from + (end - 1 + GL_END_WRAP - from % GL_END_WRAP) % GL_END_WRAP;
}

#endif
