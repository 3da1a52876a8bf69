/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the generator (private to trace/generate*.c): the program that is being played.
 *
 * Invariants
 *   - a thread that waits on a condition or is inside a barrier holds no lock, and does nothing but come out;
 *   - each pack is in exactly one list: a thread's packs, out or in, a channel, or a place of a barrier round;
 *   - owed = the events that it takes to release, leave, end and join everything; owed <= left.
 */
#ifndef GL_TRACE_GENERATE_STATE_H
#define GL_TRACE_GENERATE_STATE_H

#include "trace/generate.h"

#define GEN_NONE UINT32_MAX /* no thread, no lock, no pack ... */

enum {
    GEN_NEST = 4,    /* different mutexes that a thread holds, at most */
    GEN_COMMIT = 5,  /* bytes of a commit, at most */
    GEN_RECENT = 64, /* accesses that a race may go for; a power of 2 */
    GEN_BLOCKS = 16, /* pieces of memory */
    GEN_LISTS = 4096 /* commits in one call of gl_generator_next() */
};

/* Variables first .. first + count - 1. */
struct gen_range {
    uint32_t first, count;
};

/* Variables that have one owner at a time. */
struct gen_pack {
    struct gen_range range;
    uint32_t freed; /* the one that is not allocated now */
    uint32_t next;  /* in its list */
};

struct gen_hold {
    uint32_t mutex, depth;
};

enum gen_life { GEN_UNBORN, GEN_ALIVE, GEN_ENDED, GEN_JOINED };

struct gen_thread {
    enum gen_life life;
    bool fresh;  /* forked, and may still say `begin` */
    bool writes; /* holds its reader-writer lock as a writer */
    bool inside; /* has entered its round, not left it */
    uint8_t n_held;
    uint32_t parent;
    uint32_t children; /* not joined yet */
    uint32_t ended;    /* list of children to join, through next_ended */
    uint32_t next_ended;
    uint32_t place;          /* in gl_generator.alive */
    uint32_t packs, n_packs; /* its own */
    uint32_t out;            /* packs given up before a release fence, to go with the next atomic store */
    uint32_t in;             /* packs seen by a relaxed load, its own after an acquire fence */
    struct gen_hold held[GEN_NEST];
    uint32_t waiting; /* the mutex of its condition wait */
    uint32_t wait_depth;
    uint32_t rwlock; /* held */
    uint32_t next_reader, last_reader;
    uint32_t round; /* the barrier whose round it takes part in ... */
    uint32_t seat;  /* ... as which member */
};

struct gen_rwlock {
    uint32_t writer;
    uint32_t readers; /* list through next_reader */
};

/* A semaphore, volatile or atomic, and the packs handed to whoever synchronizes with it next. */
struct gen_channel {
    uint32_t packs;
    uint32_t value; /* semaphore */
    uint64_t object;
};

/* The open round of a barrier: members of `member` have entered in their order, then they leave. */
struct gen_round {
    uint32_t size; /* 0: none is open */
    uint32_t entered, left;
    uint32_t *member; /* [party] */
    uint32_t *pack;   /* [party] what the k-th who came in brought */
};

struct gen_access {
    uint32_t thread, variable;
    bool write;
};

struct gl_generator {
    struct gl_env env;
    struct gl_generate_options o;
    uint64_t random;

    struct gl_event *out; /* where the next event goes; `room` fit */
    size_t room;
    uint64_t left; /* events to come */
    uint64_t owed;
    uint64_t (*lists)[GEN_COMMIT]; /* the bytes of the commits of this call ... */
    size_t n_lists;

    uint32_t total_weight;
    uint64_t debt[GL_FAMILY_COUNT]; /* events made without having been drawn */
    enum gl_family wish;            /* drawn, and something else had to come first; COUNT: none */
    uint32_t patience;              /* steps for which the wish is kept */

    uint32_t current, turn; /* the running thread, and for how many events more */
    uint32_t next;          /* the next thread to be forked */
    bool settled;           /* the first threads are all forked */
    unsigned phase;         /* of the end: see gen_drain() */
    uint32_t cursor;        /* in that phase */

    struct gen_thread *thread;
    uint32_t *alive, n_alive;
    struct gen_pack *pack;
    uint32_t n_packs;
    uint32_t *mutex; /* owner */
    struct gen_rwlock *rwlock;
    struct gen_channel *volatiles, *atomics, *semaphores;
    struct gen_round *round;
    uint64_t *place; /* of each variable */
    struct gen_range constant, guarded, rwguarded, owned, transactional;
    uint32_t first_location;
    struct gen_access recent[GEN_RECENT];
    uint32_t n_recent;

    struct {
        void *at;
        size_t bytes;
    } block[GEN_BLOCKS];
    unsigned n_blocks;
};

/* ---- generate.c ---- */
uint32_t gen_below(struct gl_generator *g, uint32_t n); /* n > 0 */
static inline bool gen_one_in(struct gl_generator *g, uint32_t n) { return gen_below(g, n) == 0; }

/* May the next event leave `more` further ones owed? */
static inline bool gen_affords(const struct gl_generator *g, uint64_t more)
{
    return g->left > g->owed + more;
}

/* Puts out an event; the caller fills what is special about it. */
struct gl_event *gen_emit(struct gl_generator *g, enum gl_op op, uint32_t thread, uint64_t object);

/* ---- generate_hand.c ---- */

void gen_push(struct gl_generator *g, uint32_t *list, uint32_t pack);
uint32_t gen_pop(struct gl_generator *g, uint32_t *list); /* the list is not empty */
/* All packs of a list become those of thread t. */
void gen_own_all(struct gl_generator *g, uint32_t *from, uint32_t t);

/* One of n objects, as the topology has it; giving: to hand something over, or to take it. */
uint32_t gen_pick_object(struct gl_generator *g, uint32_t t, uint32_t n, bool giving);

/* As gen_step(), for one family each. */
bool gen_volatile_step(struct gl_generator *g, uint32_t t);
bool gen_semaphore_step(struct gl_generator *g, uint32_t t);
bool gen_atomic_step(struct gl_generator *g, uint32_t t);
bool gen_fence_step(struct gl_generator *g, uint32_t t);
bool gen_barrier_step(struct gl_generator *g, uint32_t t);
/* The next event of barrier b's open round: someone comes in (t first, if it takes part; t may be GEN_NONE), is made
 * able to, or leaves. */
void gen_round_step(struct gl_generator *g, uint32_t b, uint32_t t);

/* ---- generate_steps.c ---- */

/* The condition wait of t ends, or who holds its mutex gives up a lock. */
void gen_end_wait(struct gl_generator *g, uint32_t t);

/* Each makes one event and returns true, or none and returns false. */
bool gen_step(struct gl_generator *g, enum gl_family f, uint32_t t); /* t is not blocked */
bool gen_fork(struct gl_generator *g, uint32_t t);
bool gen_release(struct gl_generator *g, uint32_t t); /* any lock that t holds; false: none */

/* These always make one. */
void gen_read(struct gl_generator *g, uint32_t t);
void gen_unblock(struct gl_generator *g,
                 uint32_t t);           /* t waits or is inside a barrier; it, or who keeps it, goes on */
void gen_drain(struct gl_generator *g); /* the next event of the end; owed > 0 */

#endif
