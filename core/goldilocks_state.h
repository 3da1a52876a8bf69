/* SPDX-License-Identifier: Apache-2.0
 *
 * What the engine keeps behind the detector interface (private to core/goldilocks*.c): tables from the numbers of events to the core's
 * objects.  They only grow, so that events of different threads may come at the same time.
 */
#ifndef GL_CORE_GOLDILOCKS_STATE_H
#define GL_CORE_GOLDILOCKS_STATE_H

#include "core/cell_inl.h"
#include "core/construct.h"
#include "core/number_table.h"
#include "core/state.h"

/* One generation of a barrier.  Its object is used again when all who entered have left. */
struct generation {
    struct gl_sync sync;
    uint32_t inside;
    bool closed;
    struct generation *next_free, *next_page; /* next_page: in the first of each page */
};

struct object {
    struct gl_lock lock; /* events on one object may be reported by several threads */
    union {
        struct gl_mutex mutex;
        struct gl_rwlock rwlock;
        struct gl_sync sync; /* volatile, atomic, semaphore, transaction byte */
        struct generation *open;
    };
};

/* Which generation of which barrier a thread is in. */
struct inside {
    uint64_t barrier;
    struct generation *generation;
};

struct thread {
    _Atomic(struct gl_thread *) core; /* NULL: not begun, or ended */
    _Atomic bool ended;
    uint32_t last;      /* of one that ended: the last epoch in which it may have made an access */
    struct gl_sync end; /* what a join sinks on */
    struct inside *in; /* NULL: it never entered a barrier */
    uint32_t n_in, cap_in;
    struct thread *next_enterer;
};

struct cell {
    _Atomic uint64_t word, sites;
};

/* How far back a thread must look, see goldilocks_horizon.c. */
struct gl_horizon {
    uint32_t half;             /* not greater than this: the half of a segment that is ordered before the thread; 0: none is known to be */
    uint32_t missed, patience; /* accesses that needed more since it was raised; so many, and it is tried again */
};

/* With one caller, what most accesses need of their thread. */
#define GL_LANE_HELD 3u
struct gl_lane {
    uint32_t number;  /* the thread's, whose lane it is; or of one that has another lane: it is nobody's */
    uint32_t whose;   /* the number of thread t: it is at hand, also when its lane is nobody's */
    /* With few threads: halves of segments are known at once to be ordered before what the thread does now if they are behind its horizon,
     * not greater than the first of these, or its own in the present batch of ids, own .. own + span. Its present segment is not among
     * them. */
    uint32_t horizon, own, span;
    uint32_t slot;
    uint64_t mine[2]; /* its half for a whole word, as what a read and a write put into the cell's word */
    struct gl_thread *t;
    uint32_t n_held, held[GL_LANE_HELD]; /* with many threads: how many locks it holds, and the serials of the first */
};
_Static_assert(sizeof(struct gl_lane) == 64, "a line");
#define GL_LANES 4096u /* a power of two */

struct gl_state {
    bool lock_at_once; /* for threads to come: see struct gl_thread */
    bool fold_at_once; /* side records become words after each access: for tests */
    struct gl_core *core;
    struct gl_env env;
    struct gl_lock lock; /* guards the lists of generations, thread starts and ends */
    struct generation *free_generations, *pages;
    struct thread *enterers; /* those that entered a barrier once */
    struct table threads, mutexes, rwlocks, volatiles, atomics, barriers, semaphores, transactions, cells;
    /* With one caller and few threads: known[t][u], the thread in slot t is ordered after this epoch of slot u, and all before. Hints,
     * where they are found without a question; as those, they stay true when slot u is used again (docs/algorithm.md, 7), and row t is the
     * one of the thread known_by[t], a uid: who has the slot after it may know less. */
    uint32_t known[GL_MANY][GL_MANY], known_by[GL_MANY];
    struct gl_horizon horizon[GL_MANY]; /* likewise, of the thread in the slot */
    struct gl_lane lane[GL_LANES];      /* by thread number; between calls of events(), unless something else is done */
    uint32_t lanes;                     /* those from here on are nobody's */
    _Atomic bool lanes_stale;           /* something else was done */
    struct cell nobodys;                /* takes what changes nothing */
};

static inline struct thread *thread_at(struct gl_state *s, uint64_t number)
{
    return table_at(&s->threads, number, sizeof(struct thread), &s->env);
}

static inline struct object *object_at(struct gl_state *s, struct table *tab, uint64_t number)
{
    return table_at(tab, number, sizeof(struct object), &s->env);
}

static inline struct cell *cell_at(struct gl_state *s, uint64_t address)
{
    return table_at(&s->cells, address >> 2, sizeof(struct cell), &s->env);
}

/* The bytes `mask` of one word; as gl_access(), to which all accesses come here. */
static inline int access_word(struct gl_thread *t, struct cell *c, uint32_t mask, unsigned kind, uint32_t site,
                              struct gl_race *race)
{
    return gl_access(t, (struct gl_cell){&c->word, &c->sites}, mask, kind, site, race);
}

/* goldilocks.c: any event.  The slow twin of what goldilocks_quick.c does. */
gl_status gl_goldilocks_any(struct gl_state *s, const struct gl_event *e, struct gl_race *race);
/* An access of e->size bytes; kind: GL_ACCESS_*. */
gl_status gl_goldilocks_access(struct gl_state *s, struct gl_thread *t, const struct gl_event *e, unsigned kind, struct gl_race *race);

/* goldilocks_horizon.c; there is one caller. The thread's row of gl_state.known and its horizon, as of one that knows what its creator
 * knows (NULL: nothing). */
void gl_horizon_begin(struct gl_state *s, const struct gl_thread *t, const struct gl_thread *creator);
/* A thread has missed its horizon so often that perhaps it can be raised. */
void gl_horizon_raise(struct gl_state *s, struct gl_thread *t);
/* One access more had to look for itself.  True: the thread's horizon may be another now. */
static inline bool gl_horizon_missed(struct gl_state *s, struct gl_thread *t)
{
    struct gl_horizon *h = &s->horizon[t->slot];
    if (++h->missed < h->patience)
        return false;
    gl_horizon_raise(s, t);
    return true;
}
/* Ids may be handed out again. */
void gl_horizons_forget(struct gl_state *s);

/* A sweep (sweep.h); there is one caller. */
void gl_goldilocks_sweep(struct gl_state *s);

/* goldilocks_object.c: an event on one object that is no data, no thread and no transaction, under the object's lock. */
gl_status gl_goldilocks_object(struct gl_state *s, struct thread *th, struct gl_thread *t, const struct gl_event *e,
                               struct gl_race *race);

/* The same for an acquire or a release of a mutex, by the only caller there is. */
gl_status gl_goldilocks_mutex(struct gl_state *s, struct gl_thread *t, struct gl_mutex *m, bool release);

/* The same for accesses within one word, by the only caller there is.  False: nothing was done. */
bool gl_goldilocks_quick(struct gl_state *s, const struct gl_event *e, struct gl_race *race, gl_status *status);
/* goldilocks_quick.c, goldilocks_lanes.c: struct gl_detector's event() and events(). */
gl_status gl_goldilocks_event(struct gl_state *s, const struct gl_event *e, struct gl_race *race);
size_t gl_goldilocks_events(struct gl_state *s, const struct gl_event *e, size_t n, struct gl_race *race, gl_status *status);

#endif
