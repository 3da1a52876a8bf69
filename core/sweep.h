/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep: ids of segments that no cell holds any more are handed out again, so that a program may run for weeks.
 *
 * A segment's id gets into a cell by its own thread, while it is the current one; later it only moves about inside of
 * that cell: between its word, its side record, the lines of a spread record, and groups.  So an id that is in no cell, and no
 * thread's current or next one, will be in no cell again.  What else remembers ids are caches of threads, which the
 * sweep empties (docs/concurrency.md, L).
 *
 * What only ids lead to goes with them: lists of locks (holds.h), columns of ended threads (slots.c).
 *
 * The front end knows where cells are.  It stops whoever is in the core, or is alone anyway:
 *
 *     s = gl_sweep_begin(core);  gl_sweep_word(s, word) for every cell;  gl_sweep_end(s, work);
 *
 * and empties its own caches of halves, but for those of present segments.
 */
#ifndef GL_CORE_SWEEP_H
#define GL_CORE_SWEEP_H

#include "core/core.h"

/* A bit for each of the smallest batches of ids. */
struct gl_sweep_bits {
    uint64_t word[(1u << GL_SEGMENT_BITS) / GL_SEGMENT_BATCH / 64];
};

struct gl_sweep {
    struct gl_core *core;
    uint64_t last; /* word that was told last: neighbours are alike */
    bool failed;   /* a cell was locked: nothing is freed */
    struct gl_sweep_bits *before; /* see gl_sweep_begin_slowly(); NULL: another kind of sweep */
    struct gl_sweep_bits old;     /* with it: what was handed out when this sweep began */
    struct gl_sweep_bits used;
};

/* Have so many segments begun since the last sweep that one pays?  Any thread, any time. */
bool gl_core_sweep_due(struct gl_core *core);
/* How many there were, modulo 2^32.  Any thread, any time: none ends meanwhile for who is in the core. */
uint32_t gl_core_sweeps(const struct gl_core *core);
/* A sweep is due after so many ids, 0: as pays.  limit: of ids that may be in use, 0: all that there are; for tests.
 * Before threads run. */
void gl_core_sweep_every(struct gl_core *core, uint64_t ids, uint32_t limit);

/* From here to gl_sweep_end() nobody else calls the core or changes a cell.  NULL: no memory; the ids stay. */
struct gl_sweep *gl_sweep_begin(struct gl_core *core);

/* The same where threads cannot all be stopped, and may have what they read of a cell in a variable, for one access: then an id goes when two sweeps
 * in a row have found it nowhere, between whose ends and beginnings each thread was outside of an access once.
 *
 * Others may go on in the core, and change cells, until gl_sweep_end(): what they put into cells is a segment of now, which this sweep
 * leaves alone, and what else is in a cell when it is told was there when the sweep began.  Only the cell that is told must not be changed
 * meanwhile, if it has a side record.  before: zeroed before the first; it is gl_sweep_end()'s to say there what this one found nowhere, and
 * the caller's to zero when it has to begin anew. */
struct gl_sweep *gl_sweep_begin_slowly(struct gl_core *core, struct gl_sweep_bits *before);

void gl_sweep_word_slow(struct gl_sweep *s, uint64_t word);
/* What a cell holds. */
static inline void gl_sweep_word(struct gl_sweep *s, uint64_t word)
{
    if (word && word != s->last)
        gl_sweep_word_slow(s, word);
}

/* An id that the front end keeps: it stays, with all of its batch.  0: none. */
void gl_sweep_id(struct gl_sweep *s, uint32_t id);
/* In a sweep that began slowly: all old ids of the threads whose number `keeps` says yes to. */
void gl_sweep_threads(struct gl_sweep *s, bool (*keeps)(void *ctx, uint32_t uid), void *ctx);
/* Of a thread: its present segment, or its last one when it has none; 0: it never had one.  The sweep keeps it. */
uint32_t gl_thread_last_id(const struct gl_thread *t);

/* What is still in use, after all cells were told and before gl_sweep_end(): the caller's number of each thread one of whose
 * accesses a cell may hold, and the serial of each lock under which it may have been made.  Often the same again. */
void gl_sweep_uses(struct gl_sweep *s, void (*thread)(void *ctx, uint32_t uid),
                   void (*lock)(void *ctx, uint32_t serial), void *ctx);

#define GL_SWEEP_ID_BYTES 5u /* what is known of an id, roughly */
/* The caller has made something of so many bytes that goes with a sweep: one is due sooner.  Any thread, any time. */
void gl_core_sweep_sooner(struct gl_core *core, size_t bytes);
/* There was no way to sweep now: it is due again soon. */
void gl_core_sweep_put_off(struct gl_core *core);

/* Frees what was not told.  cells: how many were looked at, which says how soon another sweep pays. */
void gl_sweep_end(struct gl_sweep *s, uint64_t cells);

#endif
