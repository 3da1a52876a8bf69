/* SPDX-License-Identifier: Apache-2.0
 *
 * A concurrent program made of random threads: real ones, over modelled objects (mutexes, reader-writer
 * locks, volatiles, atomics, fences, semaphores, barriers, condition waits, commits, fork and join),
 * who tell a detector everything they do, and remember it.
 *
 * A real lock makes each synchronization and its event one step, and a global counter stamps it inside;
 * accesses are told with nothing around them.  A seed fixes the programs, not how they interleave.
 */
#ifndef GL_TESTS_SUPPORT_WORLD_H
#define GL_TESTS_SUPPORT_WORLD_H

#include "core/detector.h"
#include "tests/support/execution.h"

enum {
    WORLD_BASE = 0x1000, /* the data bytes */
    WORLD_BYTES = 256,
    WORLD_SPAN = 64, /* accesses may reach past the last of them, and so do atomics */
    WORLD_THREADS = 64
};

/* One event, and what the detector said. */
struct entry {
    struct gl_event event; /* its site is not 0, and no other event's */
    uint64_t stamp;        /* of this synchronization; of an access: of its thread's last one */
    uint64_t list[4];      /* a commit's bytes */
    struct gl_race race;   /* bytes == 0: none */
    size_t serial;         /* set by world_serialize() */
};

struct world;

/* Plays a program with so many threads at a time (2 <= threads <= WORLD_THREADS, and some that those
 * fork) on a fresh detector that can GL_CAN_CONCUR.  Returns when all have ended. */
struct world *world_play(const struct gl_detector *detector, uint32_t threads, uint64_t seed);

/* All events in an order that respects the stamps, in *x (initialized here); they learn their places.  The
 * caller frees the array and *x. */
struct entry **world_serialize(struct world *w, struct execution *x);

const struct entry *world_entry(const struct world *w, uint32_t site); /* NULL: there is none */
uint32_t world_threads(const struct world *w);                        /* numbers used so far */

/* What the detector has counted so far under this name (core/counters.def). */
uint64_t world_count(const struct world *w, const char *counter);

/* Were all events possible, and the detector's memory managed well?  (Ends the detector; says what is wrong.) */
bool world_end(struct world *w);

#endif
