/* SPDX-License-Identifier: Apache-2.0
 *
 * What long_execution.c (proposes events) and long_clocks.c (does them, if they can be done, and knows which race) share.
 */
#ifndef TESTS_SUPPORT_LONG_STATE_H
#define TESTS_SUPPORT_LONG_STATE_H

#include "tests/support/check.h"
#include "tests/support/long_execution.h"

enum { OBJECTS = 64, BASE = 0x1000 };

/* Of a byte, by thread: the time of its last access of a kind. */
enum kind { PLAIN_READ, PLAIN_WRITE, ATOMIC_READ, ATOMIC_WRITE, KINDS };

struct thread_now {
    bool known, ended, detached;
    bool begun; /* or forked: it may be joined */
    bool in_wait, in_barrier;
    uint32_t place;      /* of the object that it waits for, or whose generation it is in */
    uint32_t generation;
    uint32_t depth;      /* of the mutex before the wait */
    uint32_t holds, rw_holds; /* mutexes; locks for reading or writing */
};

struct mutex_now {
    uint32_t owner, depth; /* depth == 0: nobody's */
    uint32_t waiting;
};

struct rwlock_now {
    uint32_t writer, readers; /* writer: thread + 1 */
};

struct barrier_now {
    uint32_t open; /* generation, 0: none */
    bool closed;
};

/* A race of one event, as it was then. */
struct race_now {
    uint32_t event;
    struct oracle_verdict verdict;
};

struct long_execution {
    struct execution x;
    uint32_t max_events, max_threads, max_words;
    uint32_t width; /* of clocks */
    const struct long_shape *p;
    struct rng rng;
    struct thread_now *thread;
    uint32_t next, running, last; /* threads: the next number, how many have not ended, who did the last step */
    struct mutex_now mutex[OBJECTS];
    uint64_t number[OBJECTS]; /* of the mutex at a place: another one when the old one's owner has ended with it */
    struct rwlock_now rwlock[OBJECTS];
    uint8_t *read_holds; /* by thread and place */
    struct barrier_now barrier[OBJECTS];
    uint32_t *inside; /* of a generation of barriers; a generation is free when nobody is */
    int posts[OBJECTS];
    uint8_t atomic_size[OBJECTS];
    /* clocks, `width` each */
    uint32_t *of_thread, *of_release_fence, *of_acquire_fence, *of_mutex, *of_reader, *of_writer, *of_volatile, *of_atomic, *of_generation,
        *of_semaphore, *of_transaction, *of_byte;
    uint32_t *time;     /* by event: its thread's own */
    uint32_t *race_of;  /* by event: 1 + its place in race[], or 0 */
    struct race_now *race;
    uint32_t *of_race; /* what the racing event's thread knew */
    uint32_t n_races, cap_races;
    bool *raced;        /* by byte: in this life */
    uint64_t heal;      /* byte that raced, to be allocated anew; 0: none */
};

static inline uint32_t *clock_of(const struct long_execution *l, uint32_t *clocks, size_t i) { return clocks + i * l->width; }

/* The event is made if it can be.  careless: also if it races. */
bool long_event(struct long_execution *l, const struct gl_event *proposed, bool careless);
/* Would an access of this kind race now? */
bool long_races(const struct long_execution *l, uint32_t thread, uint64_t byte, enum kind kind);

#endif
