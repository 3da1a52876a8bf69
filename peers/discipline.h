/* SPDX-License-Identifier: Apache-2.0
 *
 * What detectors share that check a locking discipline instead of order (Eraser, the naive locksets): the locks that a
 * thread holds as one shared, immutable set, and the walk from events to checks of single variables.  One caller
 * at a time.
 *
 * How the vocabulary is read
 *
 *     LH(t)       mutexes locked by t, reader-writer locks write-locked by t and, for reads only, read-locked ones: a
 *                 write under a read hold is protected by nothing (Savage et al., "Eraser", section 2.3)
 *     commit      accesses its bytes under one more lock, which all transactions share
 *     wait        a condition wait gives its mutex up and takes it again
 *     free        is a write of its bytes, and alloc forgets them
 *     the rest    volatiles, atomics, fences, barriers, semaphores, fork and join are no locks: ignored.  What atomic
 *                 operations do to their bytes is not checked.
 */
#ifndef GL_PEERS_DISCIPLINE_H
#define GL_PEERS_DISCIPLINE_H

#include "peers/holds.h"
#include "peers/words.h"

/* A set of locks.  Equal sets are the same pointer. */
struct gl_lockset {
    struct gl_lockset *next; /* with the same hash */
    uint32_t n;
    uint32_t lock[]; /* ascending: gl_lock.number; 0 is the transactions' lock */
};

/* An access, as an earlier one is remembered. */
struct gl_seen_access {
    bool is_known, write;
    uint32_t thread, site;
};

/* One access of some bytes of a word. */
struct gl_check {
    struct gl_seen_access now;
    const struct gl_lockset *held; /* LH(t) for this kind of access */
};

#define GL_DISCIPLINE_MEMO 256u

struct gl_discipline {
    struct gl_pool pool;
    struct gl_holds holds;
    struct gl_words words;
    struct gl_map sets; /* hash -> first of that hash */
    struct { const struct gl_lockset *a, *b, *both; } memo[GL_DISCIPLINE_MEMO];
    uint32_t *scratch;
    uint32_t scratch_capacity;
    bool stopped; /* what is held is no longer known */
    uint64_t n_events, n_accesses, n_races, n_sets, n_intersections;
};

/* A race?  Then *then is the earlier access.  `p` is the detector's own, zero but for p->bytes the first time.
 * *nomem: a set could not be made, and nothing changed. */
typedef bool gl_check_fn(struct gl_discipline *d, struct gl_piece *p, const struct gl_check *c,
                         struct gl_seen_access *then, bool *nomem);

/* A detector's state, all of it: piece_bytes is the size of what it remembers of bytes.  NULL: no memory. */
struct gl_discipline *gl_discipline_create(const struct gl_env *env, size_t piece_bytes);
void gl_discipline_destroy(struct gl_discipline *d);

/* One event, as gl_detector.event. */
gl_status gl_discipline_event(struct gl_discipline *d, const struct gl_event *e, gl_check_fn *check, struct gl_race *race);
void gl_discipline_counts(const struct gl_discipline *d, gl_count_fn *count, void *ctx);

/* The locks in both; NULL: no memory. */
const struct gl_lockset *gl_lockset_both(struct gl_discipline *d, const struct gl_lockset *a, const struct gl_lockset *b);

#endif
