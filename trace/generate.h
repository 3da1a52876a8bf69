/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions as streams: what a recorded program could have done, of any length, in memory that depends on
 * the numbers of threads, objects and variables only.
 *
 * The generator plays a program whose threads keep a discipline, so that it has no race: each variable belongs to a
 * mutex, to a reader-writer lock, to the transactions, to nobody (then it is only read), or to one thread at a time,
 * who hands it on through a semaphore, a volatile, an atomic, a barrier, a fork or a join.  Which of these happens is
 * drawn by weights.  With a race rate, that share of the accesses breaks the discipline: it takes a variable that
 * another thread used just now, without asking.
 *
 * The events are a possible execution: locks are taken when they are free, joined threads have ended, and the last
 * events release, end and join what is left.  The same options make the same events on every machine.
 */
#ifndef GL_TRACE_GENERATE_H
#define GL_TRACE_GENERATE_H

#include "trace/names.h"

/* Families of operations; a weight is a family's share of the events.
 *   family     name         what is drawn */
#define GL_FAMILIES(X)                                                              \
    X(READ, "read", "reads of variables")                                           \
    X(WRITE, "write", "writes of variables")                                        \
    X(HEAP, "heap", "free and alloc of a variable by its owner")                    \
    X(LOCK, "lock", "acq and rel, nested and reentrant too")                        \
    X(CWAIT, "condition", "cwait_begin and cwait_end")                              \
    X(RWLOCK, "rwlock", "rdlock, rdunlock, wrlock, wrunlock")                       \
    X(VOLATILE, "volatile", "volread and volwrite")                                 \
    X(ATOMIC, "atomic", "ld, st and rmw with any memory order")                     \
    X(FENCE, "fence", "fence with any memory order")                                \
    X(BARRIER, "barrier", "bar_in and bar_out")                                     \
    X(SEMAPHORE, "semaphore", "post and wait")                                      \
    X(THREAD, "thread", "fork, join, begin and end, beside those of the beginning") \
    X(COMMIT, "commit", "transactions")

enum gl_family {
#define X(family, name, sentence) GL_FAMILY_##family,
    GL_FAMILIES(X)
#undef X
    GL_FAMILY_COUNT
};

/* Who synchronizes with whom.
 *   topology       name          meaning */
#define GL_TOPOLOGIES(X)                                                                                \
    X(SHARED, "shared", "any thread uses any lock and object")                                          \
    X(NEIGHBOURS, "neighbours", "threads in a ring; a thread shares locks and objects with the next")    \
    X(PIPELINE, "pipeline", "as neighbours, and what is handed on goes one way only")                    \
    X(TREE, "tree", "any thread forks, and a parent joins its children before it ends")                 \
    X(LOCAL, "local", "threads work on their own variables and, mostly, their own locks")

enum gl_topology {
#define X(topology, name, sentence) GL_TOPOLOGY_##topology,
    GL_TOPOLOGIES(X)
#undef X
    GL_TOPOLOGY_COUNT
};

const char *gl_family_name(enum gl_family f);
const char *gl_family_sentence(enum gl_family f);
const char *gl_topology_name(enum gl_topology t);
const char *gl_topology_sentence(enum gl_topology t);

struct gl_generate_options {
    uint64_t events;    /* in all, exactly */
    uint64_t seed;
    uint32_t threads;   /* ever, 1 .. 2^24 */
    uint32_t alive;     /* at a time, 1 .. threads */
    uint32_t variables; /* 16 .. 2^28 */
    uint32_t locks;     /* mutexes, 1 .. 2^24 */
    uint32_t objects;   /* of each other class, 1 .. 2^20 */
    uint32_t party;     /* threads that meet at a barrier, 2 .. 2^16 */
    uint32_t quantum;   /* mean number of events before it is another thread's turn, 1 .. 2^20 */
    uint32_t locations; /* distinct ones; 0: events have none; at most 2^20 */
    uint32_t races_per_million; /* accesses that break the discipline, of a million, 0 .. 10^6 */
    bool addresses;     /* variables are 8 bytes at an address, accessed in parts; else named, 4 bytes */
    enum gl_topology topology;
    uint32_t weight[GL_FAMILY_COUNT]; /* 0 .. 10^6 each; READ > 0 */
};

/* 10 million events, seed 1, 16 threads, 100,000 variables, 100 locks, 10 % of the events are acq and rel. */
void gl_generate_usual(struct gl_generate_options *o);
/* Which option is out of its range, as a sentence; NULL: none. */
const char *gl_generate_complaint(const struct gl_generate_options *o);

struct gl_generator;

/* Options without complaint.  `names` is empty, the caller's, lives until destroy, and receives all names at once.
 * NULL: no memory. */
struct gl_generator *gl_generator_create(const struct gl_env *env, const struct gl_generate_options *o,
                                         struct gl_names *names);
void gl_generator_destroy(struct gl_generator *g);

/* The next events, at most `capacity`; 0: there are no more.  Byte lists of commits live until the next call.
 * One caller at a time. */
size_t gl_generator_next(struct gl_generator *g, struct gl_event *events, size_t capacity);

#endif
