/* SPDX-License-Identifier: Apache-2.0
 *
 * The brute-force oracle: it keeps every event, draws every happens-before edge as the sentences of
 * core/event.h state them, closes the graph, and compares every access with every earlier one.  It knows
 * nothing of Goldilocksets, clocks or segments, and shares no code with any detector.
 *
 * A byte has one life from ALLOC to ALLOC.  In each life the first race is what a precise detector must
 * find, at that very event.  Of what comes later in that life it may miss some, since that depends on what
 * it remembers of accesses that raced; but it never may invent one.
 */
#ifndef GL_TESTS_SUPPORT_ORACLE_H
#define GL_TESTS_SUPPORT_ORACLE_H

#include "tests/support/execution.h"

struct oracle;

/* Bits as in gl_race.bytes: first must be reported, and nothing outside races may be. */
struct oracle_verdict {
    uint64_t races; /* an earlier access of the byte, in this life, conflicts and is not ordered before */
    uint64_t first; /* and that is so for the first time in its life */
};

struct oracle *oracle_new(size_t max_events);
void oracle_delete(struct oracle *o);
void oracle_reset(struct oracle *o);

/* One more event (copied, but for the byte lists of a commit: they must stay where they are). */
struct oracle_verdict oracle_add(struct oracle *o, const struct gl_event *e);

/* Forgets the last event. */
void oracle_drop(struct oracle *o);

/* The whole execution, from the start. */
void oracle_run(struct oracle *o, const struct execution *x);
struct oracle_verdict oracle_verdict(const struct oracle *o, size_t event);

bool oracle_before(const struct oracle *o, size_t earlier, size_t later);

/* Do the two events touch the byte in one of its lives, `then` with an access of the given kind that
 * conflicts with one of `now`, and is neither ordered before the other?  (Either may come first.) */
bool oracle_is_race(const struct oracle *o, uint64_t address, size_t now, size_t then, bool write, bool atomic);

#endif
