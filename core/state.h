/* SPDX-License-Identifier: Apache-2.0
 *
 * The engine's whole state.  Private to core/.
 *
 * Locks and their ranks (a holder may take only locks of a higher rank; docs/concurrency.md):
 *     1 core->lock   2 columns.trim_lock   3 a cell   4 a block   5 log.free_lock, sides.lock, spreads.lock, segments.lock,
 *     lists.lock, holds.lock, core->node_lock
 */
#ifndef GL_CORE_STATE_H
#define GL_CORE_STATE_H

#include "core/core.h"
#include "core/group.h"
#include "core/holds.h"
#include "core/mutant.h"
#include "core/side.h"
#include "core/spread.h"

#define GL_ALONE_CHUNK 4096u /* slots */
#define GL_PLENTY_READS 510u
#define GL_PLENTY_LOOK 16u /* reads */

struct gl_core {
    struct gl_env env;
    struct gl_lock lock; /* guards the thread list, dead[], retired[], slots, spare places */
    struct gl_thread *threads;
    _Atomic uint32_t slots; /* ever used; written under the lock */
    struct gl_dead *dead;
    uint32_t n_dead, cap_dead, next_dead; /* next_dead: where the search for a reusable slot goes on */
    uint32_t dead_stay;                   /* how many of them the last sweep left */
    struct gl_dead *retired;              /* anybody's, see slots.c; the next to be taken is the last */
    uint32_t n_retired, cap_retired;
    void *spare_place;   /* of a thread that ended, for another one; each begins with the address of the next */
    uint32_t n_spare_places;
    _Atomic(_Atomic uint64_t *) alone[GL_MAX_SLOTS / GL_ALONE_CHUNK]; /* by slot: group << 32 | the epoch in which a thread ended alone last; 0: none did */
    uint64_t count[GL_COUNT_END];         /* of threads that ended */

    struct gl_lock node_lock; /* guards the object nodes below */
    uint32_t nodes;           /* object nodes ever used */
    uint32_t *free_nodes;
    uint32_t n_free_nodes, cap_free_nodes;

    _Atomic uint32_t lock_serial;
    struct gl_log log;
    struct gl_columns columns;
    struct gl_segments segments;
    struct gl_holds holds;
    struct gl_sides sides;
    struct gl_lists lists;
    _Atomic uint32_t lock_sets; /* of those lists */
    struct gl_spreads spreads;
    uint32_t many;      /* threads: more than these are many; GL_MANY, or less for tests */
    uint32_t plenty_slots, plenty_reads, plenty_look; /* with more slots than these, of a record of more reads than these only so many of the newest are looked
                                                       * through for a thread's own: see cell.c; less for tests */
    bool horizons; /* threads have one, and take ids by chunks for it (goldilocks_horizon.c) */
    bool group_at_once; /* a change of a half is taken for repeated the first time: for tests */
};

/* Grows an array of `bytes` per element to hold at least one more; false: no memory. */
bool gl_grow(const struct gl_env *env, void **array, uint32_t *cap, uint32_t used, size_t bytes);

static inline void gl_count(struct gl_thread *t, enum gl_counter c) { t->count[c]++; }

/* Ends the current epoch when an access was recorded in it: returns GL_REC_BUMP then, else 0. */
uint64_t gl_epoch_end(struct gl_thread *t, uint32_t lock);

/* Keeps, for step.c, that an access (a half) made `next` of `word`, without a race.  Nothing is kept unless groups are in it
 * and the change follows from the half alone: a read that the thread's own writes cover in part does not. */
void gl_step_keep(struct gl_thread *t, uint32_t mine_half, bool write, uint64_t word, uint64_t next);

/* A lock that is held alone, from before the segment or since a moment in it, stays held to the segment's end, since a release ends
 * it: so it can be told at once, where that is wanted. */
static inline void gl_segment_tell_alone(struct gl_thread *t)
{
    if (t->lock_at_once && t->n_held == 1 && t->segment && t->held[0].serial < GL_LOCKS_READ)
        gl_store_release(gl_segment_lock(&t->core->segments, t->segment), /* pairs with lock_held(), gl_core_holds() */
                         t->held[0].serial | (t->held[0].exclusive ? 0 : GL_LOCKS_READ));
}

/* t is ordered after this epoch of the slot, and all before: a fact that is kept for later questions. */
void gl_hint_raise(struct gl_thread *t, uint32_t slot, uint32_t epoch);
/* Rule lock-held alone, for a segment of another thread; it is not counted.  False: ask gl_ordered(). */
bool gl_lock_says(struct gl_thread *t, uint32_t id);
/* Is the segment known to be ordered before, from what is at hand or from the thread's row (gl_row_says())?  It is no group. */
bool gl_before_by_row(struct gl_thread *t, uint32_t id);
/* The largest epoch of the slot that t is known to be ordered after, without asking the column. */
uint32_t gl_hint_epoch(struct gl_thread *t, uint32_t slot);

/* For each of the smallest batches of ids whose bit is set (gl_sweep.used): fn, with its first id (sweep.c). */
typedef void gl_batch_fn(struct gl_core *core, uint32_t first, void *ctx);
void gl_batches_used(struct gl_core *core, const uint64_t *used, gl_batch_fn *fn, void *ctx);

/* Slots (slots.c).  For a new thread that `creator` makes (NULL: nobody does): how it was come by, and what is left there. */
enum gl_slot_from { GL_SLOT_NONE, GL_SLOT_NEW, GL_SLOT_ORDERED, GL_SLOT_RETIRED };
enum gl_slot_from gl_slot_take(struct gl_core *core, struct gl_thread *creator, struct gl_dead *out);
/* Under core->lock: t has ended. */
void gl_slot_ended(struct gl_thread *t);
/* Is it the segment in which a thread ended alone (gl_thread_ends_alone()), and in which group?  No: perhaps it is. */
bool gl_slot_ended_alone(struct gl_core *core, uint32_t id, uint32_t *group);
/* Nobody else is in the core, or ever asks about segments but for those in batches whose bit is set (gl_sweep.used): what is left of other
 * threads that ended is forgotten, if there are enough of them, and their slots are anybody's. */
void gl_slots_retire(struct gl_core *core, const uint64_t *batches);

#define GL_CREDIT_MOST 65536 /* of gl_thread.credit */

/* Gives back a thread's memory. */
void gl_thread_free(struct gl_thread *t);
/* Nobody is in the core: what is kept for threads to come goes. */
void gl_thread_places_free(struct gl_core *core);
/* By how much a 32-bit hash is shifted to be a place among `places`, a power of 2. */
static inline uint32_t gl_shift(uint32_t places) { return 32 - (uint32_t)__builtin_ctz(places); }

/* The last source of a thread. */
void gl_source_end(struct gl_thread *t, struct gl_sync *s);

/* Appends one record for t, behind all that are there, and trims the log when it is due.  Returns its position or UINT64_MAX. */
uint64_t gl_thread_append(struct gl_thread *t, uint64_t record);

#endif
