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
    struct gl_sync end; /* what a join sinks on */
    struct inside *in; /* NULL: it never entered a barrier */
    uint32_t n_in, cap_in;
    struct thread *next_enterer;
};

struct cell {
    _Atomic uint64_t word, sites;
};

/* Where in a horizon the half is looked up. One of a chunk from GL_HORIZON on is greater than all that stand there. */
#define GL_HORIZON GL_CHUNKS_PLENTY
static inline uint32_t gl_half_chunk(uint32_t half) { return half / (GL_SEGMENT_CHUNK << GL_HALF_SHIFT) % GL_HORIZON; }

/* With one caller, what most accesses need of their thread. */
#define GL_LANE_HELD 3u
struct gl_lane {
    uint32_t number;  /* the thread's, whose lane it is; or of one that has another lane: it is nobody's */
    uint32_t whose;   /* the number of thread t: it is at hand, also when its lane is nobody's */
    uint32_t slot;
    uint32_t n_held, held[GL_LANE_HELD]; /* with many threads: how many locks it holds, and the serials of the first */
    union {
        const uint32_t *horizon; /* with few threads: gl_state.horizon of its slot */
        struct {                 /* with many: halves of segments of its own, in the present batch of ids, own .. own + span; but for the present one */
            uint32_t own, span;
        };
    };
    uint64_t mine[2]; /* its half for a whole word, as what a read and a write put into the cell's word */
    struct gl_thread *t;
};
_Static_assert(sizeof(struct gl_lane) == 64, "a line");
#define GL_LANES 4096u /* a power of two */
/* So many mutexes, wherever they lie, are on so many of the 256 pages of their leaf that the others will be used too. */
#define GL_LEAF_DENSE 64u

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
    /* Likewise, by chunk of ids, the first ones: not greater than this is the half of a segment that is ordered before the thread in the slot,
     * 0: none is known to be (goldilocks_horizon.c). */
    uint32_t horizon[GL_MANY][GL_HORIZON];
    struct {
        uint32_t first, base; /* of the chunk of ids that the thread in the slot had when it got its last lane: its first id, struct gl_batch's base; 0: none */
    } chunk_of[GL_MANY];
    uint16_t mutexes_met[LEAVES]; /* with one caller: how many of a leaf were used for the first time, up to GL_LEAF_DENSE */
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

/* goldilocks_horizon.c; there is one caller. The thread's rows of gl_state.known and of gl_state.horizon, as of one that knows what its creator
 * knows (NULL: nothing). */
void gl_horizon_begin(struct gl_state *s, const struct gl_thread *t, const struct gl_thread *creator);
/* The thread, which has a segment, is ordered after segment id, as gl_state.known says, too, or else by its batch: all of the chunk that is ordered
 * before it is behind its horizon from now on. */
void gl_horizon_raise(struct gl_state *s, const struct gl_thread *t, uint32_t id);
/* The thread's present segment has begun: those of its own before it are behind its horizon. */
void gl_horizon_own(struct gl_state *s, const struct gl_thread *t);
/* It has sunk on the object, all of whose sources are one thread's. */
static inline void gl_horizon_sunk(struct gl_state *s, const struct gl_thread *t, const struct gl_sync *o)
{
    uint32_t u = gl_own_slot(o->own), id;
    if (!o->own || u >= GL_MANY || u == t->slot || t->slot >= GL_MANY || s->known_by[t->slot] != t->uid)
        return;
    id = o->epoch - s->chunk_of[u].base;
    if (s->chunk_of[u].first && id - s->chunk_of[u].first < GL_SEGMENT_CHUNK) {
        uint32_t *half = &s->horizon[t->slot][id / GL_SEGMENT_CHUNK], upto = gl_half(id, 1, 0xF);
        if (*half < upto)
            *half = upto;
    }
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
