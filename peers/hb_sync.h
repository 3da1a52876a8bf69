/* SPDX-License-Identifier: Apache-2.0
 *
 * Happens-before by vector clocks: threads, and the whole table of constructs of core/event.h, for every detector
 * that has clocks.  What such a detector remembers of its variables is its own business (shadow.h).
 *
 * Each thread t has a clock C_t.  C_t[t] is its current epoch, which ends with every export of C_t, so that
 *
 *     an access by u in epoch e happens before what t does now  iff  C_t[u] >= e
 *
 *     construct                     what happens
 *     mutex, outermost              acq: C_t |= L          rel, cwait_begin: L := C_t, tick
 *     reader-writer lock (W, R)     rdlock: C_t |= W       rdunlock: R |= C_t, tick
 *                                   wrlock: C_t |= W, R    wrunlock: W := C_t, tick
 *     volatile                      read: C_t |= V         write: V |= C_t, tick
 *     atomic acquire / relaxed      load, rmw: C_t |= A  /  FA_t |= A
 *     atomic release / relaxed      store: A := C_t, tick  /  A := FR_t        rmw: A |= C_t, tick  /  A |= FR_t
 *     fence                         acquire: C_t |= FA_t   release: FR_t := C_t, tick
 *     barrier generation G          in: G |= C_t, tick     out: C_t |= G
 *     semaphore                     wait: C_t |= S         post: S |= C_t, tick
 *     thread                        fork u: C_u |= C_t, tick                   join u: C_t |= C_u
 *     transaction, per byte X       before: C_t |= X       after: X |= C_t, tick once for all bytes
 *
 * (|= is the maximum, := a copy.)  C_t, L and W are of one of two kinds, chosen at the start: ordinary vector clocks, or
 * tree clocks.  All others gather what several threads export and are ordinary clocks in both.
 *
 * One call at a time.  A status of GL_NOMEM or GL_LIMIT from here means that an order was lost: the caller must stop.
 */
#ifndef GL_PEERS_HB_SYNC_H
#define GL_PEERS_HB_SYNC_H

#include "core/detector.h"
#include "peers/table.h"
#include "peers/treeclock.h"

struct gl_hb_hold; /* hb_sync.c */

struct gl_hb_thread {
    uint64_t epoch;                               /* gl_epoch() of now; 0: not begun, or ended */
    struct gl_tree clock;                         /* C_t; .clock is the numbers, whatever the kind */
    struct gl_clock fence_release, fence_acquire; /* FR_t, FA_t */
    struct gl_hb_hold *holds; /* read locks held, barriers entered, the depth of a mutex given up in a wait */
    uint32_t number;
    uint32_t life; /* 1 forked, 2 begun, 4 ended */
};

/* C_t and locks: how they are joined and copied (the kind). */
struct gl_hb_kind {
    bool (*start)(struct gl_tree *t, struct gl_pool *pool, uint32_t thread, uint32_t number);
    bool (*join)(struct gl_tree *t, struct gl_pool *pool, struct gl_tree_walk *walk,
                 const struct gl_tree *from);
    bool (*join_clock)(struct gl_tree *t, struct gl_pool *pool, const struct gl_clock *from);
    bool (*copy_monotone)(struct gl_tree *lock, struct gl_pool *pool, struct gl_tree_walk *walk,
                          const struct gl_tree *t);
};

extern const struct gl_hb_kind gl_hb_vector_clocks, gl_hb_tree_clocks;

struct gl_hb {
    struct gl_pool pool;
    const struct gl_hb_kind *kind;
    struct gl_tree_walk walk;
    struct gl_table threads, mutexes, rwlocks, volatiles, atomics, barriers, semaphores, transactions;
    uint64_t n_joins, n_joins_skipped, n_copies;
};

void gl_hb_init(struct gl_hb *hb, const struct gl_env *env, const struct gl_hb_kind *kind);
void gl_hb_fini(struct gl_hb *hb);

#define GL_HB_THREAD_SHIFT 6

/* The thread, if it runs: begun and not ended.  NULL: ask gl_hb_begin(). */
static inline struct gl_hb_thread *gl_hb_running(const struct gl_hb *hb, uint32_t number)
{
    struct gl_hb_thread *t = gl_table_find(&hb->threads, number, sizeof *t, GL_HB_THREAD_SHIFT);
    return t && t->epoch ? t : NULL;
}

/* The thread of an event, which begins now if it has not yet.  NULL: *status says why; GL_INVALID: it has ended. */
struct gl_hb_thread *gl_hb_begin(struct gl_hb *hb, uint32_t number, gl_status *status);

/* Undoes gl_hb_begin(): its event turned out to be impossible, and the thread did not run before. */
void gl_hb_unbegin(struct gl_hb_thread *t);

/* An event that is no access at all: every class but DATA, ATOMIC and TRANSACTION.  `first`: it is the first of its
 * thread.  GL_INVALID: it is not possible now, and nothing has changed. */
gl_status gl_hb_sync(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e, bool first);

/* LOAD, STORE, RMW, COMMIT: the acquire side, to be followed by the accesses and by the release side. */
gl_status gl_hb_acquire_side(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e);
gl_status gl_hb_release_side(struct gl_hb *hb, struct gl_hb_thread *t, const struct gl_event *e);

/* Rule counters, for gl_detector.counts. */
void gl_hb_counts(const struct gl_hb *hb, gl_count_fn *count, void *ctx);

#endif
