/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions of any length that can happen, with every op of core/event.h, and what races in them.  The oracle is clocks here, a
 * full one for each byte, kind of access and thread: it shares no code with any detector, and is as fast as tens of thousands of events
 * need (oracle.h has the definition itself, and is for hundreds).
 *
 * Accesses are proposed at random until one is ordered, so that variables live long; now and then one that races is made, and mostly the
 * byte is allocated anew soon after that, since after the first race of a byte little is promised.
 */
#ifndef GL_TESTS_SUPPORT_LONG_EXECUTION_H
#define GL_TESTS_SUPPORT_LONG_EXECUTION_H

#include "tests/support/execution.h"
#include "tests/support/oracle.h"

struct long_shape {
    uint32_t events;
    uint32_t threads;  /* ever, at most */
    uint32_t alive;    /* at a time, at most */
    uint32_t roots;    /* that nobody forks */
    uint32_t objects;  /* per class */
    uint32_t words;    /* of data, 4 bytes each */
    uint32_t sync;     /* of 100 steps: synchronizations */
    uint32_t churn;    /* of 1000 steps: forks, joins, ends */
    uint32_t mix;      /* of 1000 steps: every thread passes one mutex, so that all come to know what all did */
    uint32_t detached; /* percent of threads that nobody joins */
    uint32_t careless; /* of 1000 racing accesses that are proposed: how many are made */
    uint32_t sticky;   /* percent of steps by the same thread as the one before */
    uint32_t classes;  /* bits of enum gl_class: what there is beside data, mutexes and threads */
};

struct long_execution;

struct long_execution *long_new(uint32_t max_events, uint32_t max_threads, uint32_t max_words);
void long_delete(struct long_execution *l);

/* The execution of this seed and shape.  Event i has site i + 1. */
const struct execution *long_make(struct long_execution *l, const struct long_shape *shape, uint64_t seed);

/* As oracle_verdict() and oracle_is_race(), for an event `now` that races. */
struct oracle_verdict long_verdict(const struct long_execution *l, size_t event);
bool long_is_race(const struct long_execution *l, uint64_t address, size_t now, size_t then, bool write, bool atomic);

#endif
