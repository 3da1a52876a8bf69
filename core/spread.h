/* SPDX-License-Identifier: Apache-2.0
 *
 * Spread records: a cell that many threads read in every epoch, as a program's settings are, without a cache line that
 * they all write.
 *
 * A cell with a side record (side.h) that was read again and again may have its reads spread: each thread then has a line of its
 * own for its last reads, and changes it without the cell's lock.  The side record keeps the writes, and says so (`spread`).
 * Whoever wants to do anything else with the cell gathers the reads first, with the cell locked: then it is an
 * ordinary side record again.
 *
 *     reader    busy := 1;  look at the cell's word and the record's `spread`;  change halves and sites;  busy := 0
 *     gatherer  lock the cell;  fence on every processor (env.fence);  wait for busy == 0, line by line;  read the lines
 *
 * Either the reader sees that the cell is locked, or the gatherer sees `busy` and waits for a few instructions
 * (docs/concurrency.md, C.8).
 *
 *                  read     gather   make
 *     read          -         W        -      "-" safe together   "W" gather waits   "X" the cell's lock excludes
 *     gather, make            X        X      (on one cell)
 *
 * Memory of spread records is never used for anything else, since a reader that comes too late still writes `busy`.
 */
#ifndef GL_CORE_SPREAD_H
#define GL_CORE_SPREAD_H

#include "core/atomic.h"
#include "core/cell.h"
#include "core/segment.h"
#include "core/side.h"

#define GL_SPREAD_SIZES 4u          /* records for 16, 128, 1,024 and 8,192 threads */
#define GL_SPREAD_THREADS_MOST 8192u /* slots below may have a line */
#define GL_SPREADS 1024u
#define GL_SPREAD_SLAB 8192u         /* lines that are mapped at a time, 512 KiB, and get memory as they are used */
#define GL_SPREAD_SLABS 128u         /* 64 MiB of lines at most */
#define GL_SPREAD_WRITES 4u   /* a record with more is not spread */
#define GL_SPREAD_AFTER 128u  /* reads again, before it pays: gathering costs some microseconds */

#define GL_SPREAD_READS 4u    /* of a thread: as many as there are bytes */

struct gl_spread_read {
    _Atomic uint32_t half; /* plain; 0: no read */
    _Atomic uint32_t site;
};

/* A thread's last reads of the cell, no two of one byte.  Only the thread with the slot writes it, or the maker before it is published. */
struct gl_spread_line {
    _Atomic uint32_t busy; /* 1: its thread may be changing it; only its thread writes this */
    uint32_t asked;        /* bytes whose writes are all known to be ordered before the thread; under the cell's lock, or its thread's */
    uint32_t used;         /* none has a read from this one on: mostly 1.  As `asked` */
    struct gl_spread_read read[GL_SPREAD_READS];
    uint32_t spare[5];     /* a line for itself */
};

/* Neither changes once the record has its number; the lines of one that nobody uses say nothing. */
struct gl_spread {
    struct gl_spread_line *line;
    uint32_t threads;   /* slots below have a line */
    uint32_t next_free; /* under the lock */
};

struct gl_spreads {
    const struct gl_env *env; /* without a fence lines are changed with the cell locked only: gl_spread_put() */
    struct gl_lock lock;      /* guards the rest, but for `all` */
    bool at_once;             /* for tests, before threads run */
    uint32_t used;
    uint32_t free[GL_SPREAD_SIZES]; /* the first that nobody uses, by size; 0: none */
    uint32_t slabs, slab_left;      /* lines never handed out of the last one */
    struct gl_spread_line *slab[GL_SPREAD_SLABS];
    struct gl_spread all[GL_SPREADS]; /* number 0 is none */
};

void gl_spreads_init(struct gl_spreads *s, const struct gl_env *env);
void gl_spreads_fini(struct gl_spreads *s);

/* For so many threads, or for as many as can be. */
uint32_t gl_spread_size(uint32_t threads);

/* With the cell locked, or before the record is published: the number of a spread record of that size (gl_spread_size()) with the reads of r, which
 * stays as it is.  0: for want of memory or of records, or because a read is atomic, or of a slot that has no line, or of a byte that another one of
 * its slot has, too. */
uint32_t gl_spread_make(struct gl_spreads *s, const struct gl_side *r, struct gl_segments *segments, uint32_t size);
/* Then one of these: the reads are there from now on, r having room for gl_spread_room(size) entries; or they are not. */
static inline uint32_t gl_spread_room(uint32_t size) { return GL_SPREAD_WRITES + GL_SPREAD_READS * size + 1; }
void gl_spread_set(struct gl_side *r, uint32_t number);
void gl_spread_drop(struct gl_spreads *s, uint32_t number);

/* With the cell locked: r is an ordinary side record again. */
void gl_spread_gather(struct gl_spreads *s, struct gl_side *r);

/* With the cell locked: has the slot a line of the record's? */
bool gl_spread_has(const struct gl_spreads *s, const struct gl_side *r, uint32_t slot);
/* With the cell locked, by the thread with this slot, which has a line, after which all writes of the bytes that it reads are: puts its read (a plain
 * half) into its line; of older ones there only the bytes stay that it does not read. */
void gl_spread_put(struct gl_spreads *s, struct gl_side *r, uint32_t slot, uint32_t mine, uint32_t site);

/* Nobody is in the core: how many lines the reads are in, 0 if they are not spread; and the k-th (below GL_SPREAD_READS) of the i-th, a half, or 0. */
uint32_t gl_spread_lines(const struct gl_spreads *s, const struct gl_side *r);
uint32_t gl_spread_half(const struct gl_spreads *s, const struct gl_side *r, uint32_t i, uint32_t k);

/* Without the lock, by the thread with this slot: the same, if it put such a read there before, so that the writes are
 * known to be ordered before it.  word: what the cell held.  False: nothing was done. */
bool gl_spread_read(struct gl_spreads *s, struct gl_side *r, struct gl_cell cell, uint64_t word, uint32_t slot, uint32_t mine,
                    uint32_t site);

#endif
