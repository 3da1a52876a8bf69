/* SPDX-License-Identifier: Apache-2.0
 *
 * An execution: a sequence of events, in the order in which a detector is told about them.  Holds the
 * events and the byte lists of its commits; knows how to print itself, nothing about meaning.
 */
#ifndef GL_TESTS_SUPPORT_EXECUTION_H
#define GL_TESTS_SUPPORT_EXECUTION_H

#include <stdio.h>

#include "core/event.h"

#define EXECUTION_COMMIT_MAX 8 /* bytes in one commit, reads and writes together */

struct execution {
    struct gl_event *event;
    size_t n, max;
    uint64_t *pool; /* the byte lists of commits: EXECUTION_COMMIT_MAX per event, at its index */
};

void execution_init(struct execution *x, size_t max);
void execution_fini(struct execution *x);

/* Appends a copy of the event (n < max), byte lists included. */
void execution_add(struct execution *x, const struct gl_event *e);

/* The last event goes. */
void execution_drop(struct execution *x);

/* to := from, as far as to->max reaches. */
void execution_copy(struct execution *to, const struct execution *from);

/* The address of byte number `bit` of the event, as in gl_race.bytes. */
uint64_t event_byte(const struct gl_event *e, unsigned bit);

/* One line per event: T1|w(0x10,4)|7 -- the thread, what it does, the site. */
void execution_print(const struct execution *x, FILE *out);
void event_print(const struct gl_event *e, FILE *out);

#endif
