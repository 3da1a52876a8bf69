/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns: the Goldilocksets of all segments of a thread at once.
 *
 * M[n][u] is the largest epoch of thread u whose Goldilockset holds node n (a thread or an object).
 * Sets nest in the epoch, so   n in GLS(u, e)  iff  M[n][u] >= e   (column identity, docs/algorithm.md).
 * Applying the log's records to a column keeps it current; we do so lazily, when somebody asks, and
 * for a block of columns together: the first 16, whose rows are a cache line, then 64 at a time.
 *
 * M is mostly zero: a thread of a hundred thousand knows of few others.  Rows are there in pieces of GL_ROWS, made when one
 * of them stops being zero, out of regions that all blocks share.
 *
 * A question about one segment can also be answered by following that segment's Goldilockset alone along the log (a walk, the TR's own
 * evaluation): a bit per node, no rows.  With many threads, whose blocks are asked rarely, that is what is done, until as much was
 * walked since the block's last replay as a replay would have cost.
 *
 *                 replay   value(t,...) by t   trim
 *     replay        X             -              X      "X"  one at a time (the block's lock)
 *     value         -             -              -      "-"  safe together
 *
 * Who asks about very many threads at once, after the same record, has all of its own row worked out in one walk back along the log
 * (gl_row_says()), from which such questions are answered then.
 *
 * gl_column_value(t) may read row t while another thread replays further: row t changes only by
 * records whose dst is t, all of which t itself (or its creator, before t began) appended, and t
 * asks only when they are replayed.
 */
#ifndef GL_CORE_COLUMN_H
#define GL_CORE_COLUMN_H

#include "core/log.h"

#define GL_BLOCK_FIRST 16u    /* columns of block 0: all that most programs need */
#define GL_BLOCK 64u          /* columns of every other */
#define GL_ROWS 16u           /* rows per piece: 1 or 4 KiB */
#define GL_PIECES 512u        /* pieces per page of a block's directory */
#define GL_MAX_SLOTS GL_NODE_OBJECTS
#define GL_MAX_OBJECTS (1u << 24)

#define GL_REGION_FIRST (64u << 10) /* bytes of the first region of rows; each is twice the one before ... */
#define GL_REGION_MOST (4u << 20)   /* ... up to here */

/* GL_ROWS rows each; a row is M[node][first ... first + width - 1], read and written as whole vectors. */
struct gl_pieces {
    _Atomic(uint32_t *) piece[GL_PIECES];
};
#define GL_PIECE_NODES (GL_ROWS * GL_PIECES) /* nodes of one page of a directory */

struct gl_block {
    struct gl_lock lock;   /* guards everything below but for reads in gl_column_value() */
    uint32_t first, width; /* its columns: slots first ... first + width - 1 */
    _Atomic uint64_t pos;  /* records below are replayed */
    uint64_t replayed;     /* records, for the counters */
    uint64_t walked;       /* records, for the counters */
    uint64_t walked_since; /* and since the last replay */
    _Atomic(struct gl_pieces *) threads[GL_MAX_SLOTS / GL_PIECE_NODES];
    _Atomic(struct gl_pieces *) objects[GL_MAX_OBJECTS / GL_PIECE_NODES];
};

/* Zeroed memory for rows and their directories, given back all at once. */
struct gl_region {
    struct gl_region *next;
    size_t bytes; /* with this head */
};
struct gl_regions {
    struct gl_lock lock; /* guards the rest; a leaf */
    struct gl_region *all; /* the last one first */
    size_t used;           /* of that one */
    _Atomic size_t bytes;  /* of all */
};

/* Which nodes have been met, and which are members, for one walk at a time: a bit per thread, then per object. */
struct gl_walker {
    struct gl_lock lock;
    uint64_t *member, *met; /* one piece of memory, half and half */
    uint32_t threads, objects; /* how many; multiples of 64 */
};

/* When each thread's past joined that of thread t, after all records below `upto`.  Guarded by the walker's lock. */
struct gl_row {
    uint32_t t;            /* 1 + the slot; 0: none */
    uint32_t threads;
    uint64_t upto, floor;  /* records from `floor` on were looked at */
    uint64_t *joined;      /* by slot: 1 + the position of its last record that t is ordered after; 0: none from `floor` on */
};

#define GL_ROWS_KEPT 4u /* of threads that ask at the same time */

struct gl_columns {
    struct gl_log *log;
    bool wide; /* the processor has AVX2; false is the slow twin */
    struct gl_lock trim_lock; /* one trim or block creation at a time; rank: before block locks */
    struct gl_regions regions;
    struct gl_walker walker;
    struct gl_row row[GL_ROWS_KEPT];
    uint32_t row_next; /* that is worked out anew next */
    uint64_t retired_at; /* records below are from before the last retiring; under trim_lock */
    _Atomic uint32_t objects; /* nodes of objects ever used; written under core->node_lock */
    _Atomic uint32_t blocks;  /* how many there are; blocks never go away */
    uint64_t trims;
    _Atomic(struct gl_block *) block[GL_MAX_SLOTS / GL_BLOCK + 1];
};

/* What remains of a thread that ended. */
struct gl_dead {
    uint32_t slot;
    uint32_t epochs; /* how many epochs of the slot have ended */
    uint32_t own;    /* for the next thread with this slot, see gl_sync.own; never 0 */
};

void gl_columns_init(struct gl_columns *c, struct gl_log *log);
void gl_columns_fini(struct gl_columns *c);

/* Makes sure that slot's block exists; before the slot's first record.  False: no memory. */
bool gl_columns_add(struct gl_columns *c, uint32_t slot);

/* M[t][u] after all records below `upto`, where t is the calling thread's slot and `upto` lies past its last sink. */
uint32_t gl_column_value(struct gl_columns *c, uint32_t t, uint32_t u, uint64_t upto);

/* Is M[t][u] >= epoch after all records below `upto`?  t and upto as above. */
struct gl_question {
    uint32_t t, u, epoch;
    uint64_t upto;
    const _Atomic uint32_t *end; /* gl_segment_end() of epoch `epoch` of u; NULL: not kept */
    bool row;                    /* one of very many: by gl_row_says() */
};
/* least <= M[t][u]; below: 0, or M[t][u] < below.  One of least >= epoch and 0 < below <= epoch holds, unless memory ran out. */
struct gl_answer {
    uint32_t least, below;
};
struct gl_answer gl_column_ask(struct gl_columns *c, const struct gl_question *q);

/* For column.c and row.c. */
static inline bool gl_bit(const uint64_t *bits, uint32_t i) { return bits[i / 64] >> i % 64 & 1; }
/* For row.c: the bits of a walk, with the walker's lock.  False: no memory. */
bool gl_walker_fits(struct gl_walker *w, uint32_t threads, uint32_t objects, const struct gl_env *env);
/* Does t's row (row.c), worked out if it is not kept, answer that?  *yes: M[t][u] >= epoch.  ended: M[u][u] >= epoch is replayed already.  False: it does
 * not, or there is none, for want of memory or because the log is being trimmed.  Costs as much as a walk along the whole log, if it is worked out.  The caller
 * may hold a cell, and no block. */
bool gl_row_says(struct gl_columns *c, const struct gl_question *q, bool ended, bool *yes);

/* What of M[t][u] is replayed already: not more than it is now. */
uint32_t gl_column_least(struct gl_columns *c, uint32_t t, uint32_t u);

/* Replays every block to the log's present end and cuts the log before the slowest ("partially
 * eager evaluation").  Returns at once when another thread is at it. */
void gl_columns_trim(struct gl_columns *c);

/* Nobody else is here, and nobody will ask about columns below `slots` for which of_slot[].own is not 0: what their threads knew is forgotten, and
 * what others knew of them may be.  All blocks are replayed then, or need not be, and the log is cut.  No memory: the log is stopped. */
void gl_columns_retire(struct gl_columns *c, const struct gl_dead *of_slot, uint32_t slots);

uint64_t gl_columns_replayed(struct gl_columns *c);
uint64_t gl_columns_walked(struct gl_columns *c);

/* For the planted mistake HINT_LEAK only. */
void gl_column_poke(struct gl_columns *c, uint32_t t, uint32_t u, uint32_t epoch);

#endif
