/* SPDX-License-Identifier: Apache-2.0
 *
 * The log of synchronization events: one sequence of 8-byte records `dst <- src` that every thread
 * appends to in O(1) and nobody walks but a column block (column.h), lazily.
 *
 *     bit 63     62      61      60     59..30   29..0
 *       valid    bump   assign    0      src      dst
 *
 *   valid   always set in a written record; else nothing is written yet (fresh chunks are zero)
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
 * Position: a record's index since the start, 64 bits.  A thread takes several positions at once by one fetch-add, its
 * room, and puts its next records there, so that threads meet at the tail seldom and their records lie in lines of their own.  So
 * positions are not the order of time.  They need not be: records that name no common node can be applied in either order, and a record gets a
 * position behind those of all earlier ones that share a node with it (`least`); a room that lies before is given up.
 * A reader that meets a position without a record closes it: its owner then finds it taken, and takes other room.  So nobody
 * waits for anybody, and what has been read stays as it was (docs/concurrency.md, A).
 */
#ifndef GL_CORE_LOG_H
#define GL_CORE_LOG_H

#include "core/atomic.h"
#include "core/mutant.h"

#define GL_NODE_BITS 30
#define GL_NODE_OBJECTS (1u << 20) /* nodes below: thread slots; from here: objects */
#define GL_NODE_NONE ((1u << GL_NODE_BITS) - 1)
#define GL_REC_VALID (1ull << 63)
#define GL_REC_BUMP (1ull << 62)
#define GL_REC_ASSIGN (1ull << 61)
#define GL_REC_NOTHING (GL_REC_VALID | (uint64_t)GL_NODE_NONE << GL_NODE_BITS | GL_NODE_NONE) /* of a position that was closed */

#define GL_LOG_CHUNK_BITS 15
#define GL_LOG_CHUNK (1u << GL_LOG_CHUNK_BITS) /* records per chunk: 256 KiB */
#define GL_LOG_DIR (1u << 14)                  /* chunks that may be outstanding: 5.4e8 positions */
#define GL_LOG_TRIM (16ull << GL_LOG_CHUNK_BITS) /* when so many positions were taken, it is perhaps time to trim */
#define GL_ROOM_MOST 32u

struct gl_log_chunk {
    _Atomic uint64_t number; /* position >> GL_LOG_CHUNK_BITS; constant while in the directory */
    _Atomic uint64_t life;   /* how often this memory was used again; what a position holds that has no record.  Constant while in the directory */
    struct gl_log_chunk *next_free;
    bool spare;              /* in free_list: it was in no place of the directory yet, and is as map() gave it */
    _Atomic uint64_t record[GL_LOG_CHUNK];
};

struct gl_log {
    const struct gl_env *env;
    _Atomic uint64_t tail;     /* next free position */
    _Atomic uint64_t head;     /* chunks below head >> GL_LOG_CHUNK_BITS are gone; written under the trim lock */
    struct gl_lock free_lock;  /* guards free_list */
    struct gl_log_chunk *free_list;
    uint32_t most;             /* positions that are taken at once; GL_ROOM_MOST.  Tests that count positions: 1 */
    _Atomic bool stopped;      /* memory ran out: checking is over */
    _Atomic uintptr_t dir[GL_LOG_DIR]; /* by number modulo GL_LOG_DIR: a chunk; gl_log_gone() of one that is no more; 0: none yet */
};

/* Positions that a thread has at hand, all in one chunk.  Zero-initialised = none. */
struct gl_room {
    uint64_t next, end;     /* the first one, and behind the last */
    _Atomic uint64_t *slot; /* of `next` */
    uint64_t life;          /* of the chunk, when it was looked up for these positions */
    uint32_t size;          /* how many were taken the last time: twice as many the next time when all were used, half when not */
    bool due;               /* the log should be trimmed, perhaps: set here, and for the caller to clear */
};

static inline uint64_t gl_record(uint32_t dst, uint32_t src, uint64_t flags)
{
    return GL_REC_VALID | flags | (uint64_t)src << GL_NODE_BITS | dst;
}
static inline uint32_t gl_record_dst(uint64_t r) { return (uint32_t)r & GL_NODE_NONE; }
static inline uint32_t gl_record_src(uint64_t r) { return (uint32_t)(r >> GL_NODE_BITS) & GL_NODE_NONE; }

/* Was a record written there (or the position closed)? */
static inline bool gl_record_is(uint64_t word) { return word & GL_REC_VALID; }

void gl_log_init(struct gl_log *log, const struct gl_env *env);
void gl_log_fini(struct gl_log *log);

/* Appends, at the tail; returns the record's position.  UINT64_MAX: out of memory, log->stopped is set. */
uint64_t gl_log_append(struct gl_log *log, uint64_t record);

/* The record at `pos` (head <= pos < tail), under the lock of a block that stands at or before it; when there is none yet, there never will be:
 * GL_REC_NOTHING.  0: stopped. */
uint64_t gl_log_read(struct gl_log *log, uint64_t pos);

static inline uintptr_t gl_log_gone(uint64_t number) { return (uintptr_t)number << 1 | 1; } // number < 2^49

/* The chunk that an entry of the directory names, if it is this one. */
static inline struct gl_log_chunk *gl_log_chunk_named(uintptr_t entry, uint64_t number)
{
    struct gl_log_chunk *c = entry & 1 ? NULL : (struct gl_log_chunk *)entry;
    /* acquire: pairs with chunk_place(), of its next life, if it is cut off meanwhile: then the directory has another entry.  Who must be sure
     * looks there again: gl_log_room() */
    return c && gl_load_acquire(&c->number) == number ? c : NULL;
}

/* The chunk that holds `pos`; NULL when it is not there yet, or gone. */
static inline struct gl_log_chunk *gl_log_chunk_at(struct gl_log *log, uint64_t pos)
{
    uint64_t number = pos >> GL_LOG_CHUNK_BITS;
    /* acquire: pairs with gl_log_chunk_install().  The chunk's number and what unwritten positions hold are visible. */
    return gl_log_chunk_named(gl_load_acquire(&log->dir[number % GL_LOG_DIR]), number);
}

/* Publishes an empty chunk for `pos`, or takes the one that came first.  NULL: it is gone, or out of memory: then log->stopped is set. */
struct gl_log_chunk *gl_log_chunk_install(struct gl_log *log, uint64_t pos);

/* Takes new positions, all behind those that were taken before.  False: out of memory, log->stopped is set. */
bool gl_log_room(struct gl_log *log, struct gl_room *room);

/* The thread's next record stands behind all that are there. */
static inline void gl_room_drop(struct gl_room *room) { room->end = room->next; }

/* As gl_log_append(), at a position that is not less than `least` and behind the last one of this room; UINT64_MAX: behind all that were taken.
 * alone: nobody else appends, reads or trims meanwhile. */
static inline uint64_t gl_log_append_inl(struct gl_log *log, struct gl_room *room, uint64_t record, uint64_t least, bool alone)
{
    if (alone) {
        uint64_t pos = gl_load_relaxed(&log->tail);
        gl_store_relaxed(&log->tail, pos + 1);
        gl_room_drop(room);
        struct gl_log_chunk *c = gl_log_chunk_at(log, pos);
        if (__builtin_expect(!c, 0) && !(c = gl_log_chunk_install(log, pos)))
            return UINT64_MAX;
        room->due |= pos % GL_LOG_TRIM == GL_LOG_TRIM - 1;
        gl_store_release(&c->record[pos % GL_LOG_CHUNK], record); /* pairs with gl_log_read(), follow(), replay_width(), walk_back() */
        return pos;
    }
    if (__builtin_expect(room->next >= room->end || room->next < least, 0) && !gl_log_room(log, room))
        return UINT64_MAX;
    for (;;) {
        uint64_t unwritten = room->life, pos = room->next++;
        /* release: what the record stands for (a segment's end) is visible to whoever replays it.
         * Pairs with gl_log_read(), follow(), replay_width(), walk_back().  A compare-and-swap: a reader may have closed the position, or it is another one's,
         * in a later life of the memory. */
        if (__builtin_expect(gl_cas_release(room->slot++, &unwritten, record), 1))
            return pos;
        if (GL_MUTANT(LOG_CLOSED))
            return pos;
        if (!gl_log_room(log, room))
            return UINT64_MAX;
    }
}

/* Forgets all whole chunks below `pos`.  Under the trim lock; no block stands below `pos`. */
void gl_log_trim(struct gl_log *log, uint64_t pos);

#endif
