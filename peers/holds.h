/* SPDX-License-Identifier: Apache-2.0
 *
 * Who holds what: threads, mutexes, reader-writer locks, condition waits and barrier generations, as far as they
 * decide whether an event can happen at all and which lock is held when.  It knows nothing of order between
 * accesses; the detectors that share it (the papers' locksets) add that.  One caller at a time.
 *
 * Fields that say "user's" are zero at first, and never read or written here.
 */
#ifndef GL_PEERS_HOLDS_H
#define GL_PEERS_HOLDS_H

#include "core/detector.h"
#include "peers/pool.h"

struct gl_lock { /* a mutex or a reader-writer lock */
    uint64_t object;
    bool is_rwlock;
    uint32_t number;     /* 1, 2 ... over locks of both kinds */
    uint32_t depth;      /* of the exclusive hold; 0: nobody has it */
    uint32_t holder;     /* thread, if depth > 0 */
    uint32_t readers;    /* read holds of all threads */
    uint32_t element;    /* user's */
    uint32_t element_read; /* user's */
};

struct gl_generation { /* of a barrier; used again when everybody is out */
    struct gl_generation *spare;
    uint32_t inside;  /* threads between bar_in and bar_out */
    bool closed;      /* somebody is out: the next bar_in opens another one */
    uint32_t element; /* user's: kept over all uses */
};

enum gl_hold_kind {
    GL_HOLD_MUTEX,
    GL_HOLD_WRITE,
    GL_HOLD_READ,
    GL_HOLD_WAIT,   /* no hold: a mutex that a condition wait gave up, at this depth */
    GL_HOLD_BARRIER /* no hold: the thread is in this generation */
};

struct gl_hold {
    enum gl_hold_kind kind;
    uint32_t depth; /* >= 1 */
    void *what;     /* struct gl_lock; of a BARRIER: struct gl_barrier */
    struct gl_generation *generation; /* of a BARRIER */
};

struct gl_actor { /* a thread */
    uint32_t number;
    uint32_t life;  /* FORKED, BEGUN, ENDED: holds.c */
    struct gl_hold *hold; /* in the order of acquisition */
    uint32_t n, capacity;
    uint32_t changes; /* of what it holds */
    uint32_t element, fence_release, fence_acquire; /* user's */
    uint64_t last_number; /* user's */
    void *last, *current; /* user's */
};

struct gl_holds {
    struct gl_pool *pool;
    struct gl_map threads, mutexes, rwlocks, barriers;
    uint32_t locks; /* made so far */
    struct gl_actor *latest; /* who acted last */
};

/* What an event did. */
struct gl_step {
    struct gl_actor *actor; /* who */
    struct gl_actor *other; /* FORK, JOIN: whom */
    struct gl_lock *lock;
    bool outermost;         /* ACQ, REL, RDLOCK: not inside a nest */
    struct gl_generation *generation; /* BAR_IN, BAR_OUT */
    bool first_in;          /* BAR_IN: it opens the generation */
};

/* Checks that the event can happen, and makes it.  GL_INVALID: it cannot, and nothing changed.  GL_NOMEM: what is known
 * from here on is not to be trusted.  (A semaphore's first value is not known, so any wait can happen.) */
gl_status gl_holds_event(struct gl_holds *h, const struct gl_event *e, struct gl_step *step);

/* Does the thread hold the lock exclusively (mutex locked, or write-locked)?  lock may be NULL: no. */
static inline bool gl_holds_exclusively(const struct gl_actor *t, const struct gl_lock *lock)
{
    return lock && lock->depth && lock->holder == t->number;
}

/* The lock that the thread took last of those it holds exclusively; NULL: none. */
struct gl_lock *gl_holds_latest(const struct gl_actor *t);

#endif
