/* SPDX-License-Identifier: Apache-2.0
 *
 * Races on the same pair of stacks are reported once, with a count.  A set of unordered pairs of
 * (stack, kind of access), each with the number of times it was added.
 *
 * Not thread-safe: every call under one lock of the caller.
 */
#ifndef GL_REPORT_DEDUP_H
#define GL_REPORT_DEDUP_H

#include "core/env.h"
#include "report/report.h"

struct gl_dedup_side {
    uint64_t stack; /* the collector's id of a stack: equal ids, equal stacks */
    enum gl_report_kind kind;
};

struct gl_dedup_entry {
    struct gl_dedup_side side[2]; /* the smaller one first */
    uint64_t count;               /* 0: an empty slot */
    bool quiet;                   /* the caller's */
};

struct gl_dedup {
    const struct gl_env *env;
    struct gl_dedup_entry *slot; /* open addressing; at most 3 of 4 are used, unless memory ran out */
    size_t slots;                /* 0 or a power of two */
    size_t used;
};

void gl_dedup_init(struct gl_dedup *d, const struct gl_env *env);
void gl_dedup_fini(struct gl_dedup *d);

/* How often this pair was added, now included: 1 is the first time.  0: no memory to remember it, so
 * the caller cannot know; report it. */
uint64_t gl_dedup_add(struct gl_dedup *d, struct gl_dedup_side a, struct gl_dedup_side b);

/* The same; the pair's entry, whose count and quiet the caller may read and quiet it may set until the next call.  NULL: no memory. */
struct gl_dedup_entry *gl_dedup_get(struct gl_dedup *d, struct gl_dedup_side a, struct gl_dedup_side b);

/* Calls visit once for each pair, in no order. */
void gl_dedup_each(const struct gl_dedup *d, void (*visit)(void *ctx, const struct gl_dedup_entry *e),
                   void *ctx);

#endif
