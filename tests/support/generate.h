/* SPDX-License-Identifier: Apache-2.0
 *
 * Random executions that can happen (model.h), with every op of core/event.h.  A profile says which
 * mixture; a seed makes exactly one execution of a profile, on every machine.
 *
 * Purely random accesses race at once, and whatever comes after the first race of a byte tests little.
 * So the generator asks the oracle about each access before it is made, and mostly makes it only if it
 * is ordered: then order arises in every way that the table knows, is used, and is broken late.
 */
#ifndef GL_TESTS_SUPPORT_GENERATE_H
#define GL_TESTS_SUPPORT_GENERATE_H

#include "tests/support/check.h"
#include "tests/support/execution.h"

#define GENERATE_MAX 320 /* events in one execution, at most */

struct profile {
    const char *name;
    uint8_t weight[GL_OP_COUNT];
    uint16_t events;   /* at most; at least a tenth */
    uint8_t roots;     /* threads that nobody forks, at most */
    uint8_t alive;     /* threads alive at a time, at most */
    uint8_t threads;   /* threads ever, at most */
    uint8_t objects;   /* per class, at most */
    uint8_t bytes;     /* data bytes, at most */
    uint8_t unaligned; /* percent of plain accesses with any address and size */
    uint8_t crowd;     /* percent of steps that are many threads doing the same */
};

extern const struct profile profiles[];
extern const size_t n_profiles;

const struct profile *profile_named(const char *name); /* NULL: there is none */

struct generator; /* what is reused from one execution to the next */

struct generator *generator_new(void);
void generator_delete(struct generator *g);

/* The execution of this seed, in *x (x->max >= GENERATE_MAX).  Event i has site i + 1. */
void generate(struct generator *g, const struct profile *p, uint64_t seed, struct execution *x);

#endif
