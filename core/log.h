/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of synchronization events: one sequence of 8-byte records `dst <- src` that every thread
 * appends to in O(1) and nobody walks but a column block (column.h), lazily.
 *
 *     bit 63     62      61      60     59..30   29..0
 *       valid    bump   assign    0      src      dst
 *
 *   valid   always set in a written record; 0 = reserved, not written yet (fresh chunks are zero)
 *   bump    src (a thread) ends an epoch here, before its row is copied.  Must be set when the thread recorded an
 *           access in the epoch, or a later access of the same epoch would be taken for ordered; is set
 *           else only by a thread's end
 *   assign  row(dst) := row(src); otherwise row(dst) := max(row(dst), row(src))
 *   src,dst nodes: threads (slots) below GL_NODE_OBJECTS, objects above; GL_NODE_NONE as dst: only
 *           the bump counts
 *
 *                append   read   trim
 *     append       -        -      -       "-"  safe together
 *     read         -        -      R       "R"  safe: a block's position protects what lies after it
 *     trim         -        R      X       "X"  one at a time (the trim lock)
 *
 * Position: a record's index since the start, 64 bits.  A position is reserved by one fetch-add, then
 * written; a reader that meets a reserved record waits for its owner, who is between two
 * instructions that never block (docs/concurrency.md, A.1).
 */
#ifndef GL_CORE_LOG_H
#define GL_CORE_LOG_H

#include "core/atomic.h"

#define GL_NODE_BITS 30
#define GL_NODE_OBJECTS (1u << 20) /* nodes below: thread slots; from here: objects */
#define GL_NODE_NONE ((1u << GL_NODE_BITS) - 1)
#define GL_REC_VALID (1ull << 63)
#define GL_REC_BUMP (1ull << 62)
#define GL_REC_ASSIGN (1ull << 61)

#define GL_LOG_CHUNK_BITS 15
#define GL_LOG_CHUNK (1u << GL_LOG_CHUNK_BITS) /* records per chunk: 256 KiB */
#define GL_LOG_DIR (1u << 14)                  /* chunks that may be outstanding: 5.4e8 records */

struct gl_log_chunk {
    uint64_t number; /* position >> GL_LOG_CHUNK_BITS; constant while in the directory */
    struct gl_log_chunk *next_free;
    _Atomic uint64_t record[GL_LOG_CHUNK];
};

struct gl_log {
    const struct gl_env *env;
    _Atomic uint64_t tail;     /* next free position */
    _Atomic uint64_t head;     /* chunks below head >> GL_LOG_CHUNK_BITS are gone; written under the trim lock */
    struct gl_lock free_lock;  /* guards free_list */
    struct gl_log_chunk *free_list;
    _Atomic bool stopped;      /* memory ran out: checking is over */
    _Atomic(struct gl_log_chunk *) dir[GL_LOG_DIR]; /* by number modulo GL_LOG_DIR */
};

static inline uint64_t gl_record(uint32_t dst, uint32_t src, uint64_t flags)
{
    return GL_REC_VALID | flags | (uint64_t)src << GL_NODE_BITS | dst;
}
static inline uint32_t gl_record_dst(uint64_t r) { return (uint32_t)r & GL_NODE_NONE; }
static inline uint32_t gl_record_src(uint64_t r) { return (uint32_t)(r >> GL_NODE_BITS) & GL_NODE_NONE; }

void gl_log_init(struct gl_log *log, const struct gl_env *env);
void gl_log_fini(struct gl_log *log);

/* Appends; returns the record's position.  UINT64_MAX: out of memory, log->stopped is set. */
uint64_t gl_log_append(struct gl_log *log, uint64_t record);

/* The record at `pos` (head <= pos < tail), waiting until it is written.  0: stopped. */
uint64_t gl_log_read(struct gl_log *log, uint64_t pos);

/* The chunk that holds `pos`; NULL when it is not there yet. */
static inline struct gl_log_chunk *gl_log_chunk_at(struct gl_log *log, uint64_t pos)
{
    uint64_t number = pos >> GL_LOG_CHUNK_BITS;
    /* acquire: pairs with gl_log_chunk_install().  The chunk's number and zeroes are visible. */
    struct gl_log_chunk *c = gl_load_acquire(&log->dir[number % GL_LOG_DIR]);
    return c && c->number == number ? c : NULL;
}

/* Publishes an empty chunk for `pos`, or takes the one that came first.  NULL: out of memory, log->stopped is set. */
struct gl_log_chunk *gl_log_chunk_install(struct gl_log *log, uint64_t pos);

/* gl_log_append(); alone: nobody else appends, reads or trims meanwhile. */
static inline uint64_t gl_log_append_inl(struct gl_log *log, uint64_t record, bool alone)
{
    /* relaxed: positions need only be a total order that contains happens-before, and a
     * read-modify-write of one object is that by coherence. */
    uint64_t pos = alone ? gl_load_relaxed(&log->tail) : gl_add_relaxed(&log->tail, 1);
    if (alone)
        gl_store_relaxed(&log->tail, pos + 1);
    struct gl_log_chunk *c = gl_log_chunk_at(log, pos);
    if (__builtin_expect(!c, 0) && !(c = gl_log_chunk_install(log, pos)))
        return UINT64_MAX;
    /* release: what the record stands for (a segment's end) is visible to whoever replays it.
     * Pairs with gl_log_read(), follow(), replay_width(). */
    gl_store_release(&c->record[pos % GL_LOG_CHUNK], record);
    return pos;
}

/* Forgets all whole chunks below `pos`.  Under the trim lock; no block stands below `pos`. */
void gl_log_trim(struct gl_log *log, uint64_t pos);

#endif
