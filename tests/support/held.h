/* SPDX-License-Identifier: Apache-2.0
 *
 * Which thread holds which locks, for tests that say what a lockset detector has to answer.  Written for that alone: it
 * takes executions that can happen (model.h), and shares no code with any detector.
 */
#ifndef GL_TESTS_SUPPORT_HELD_H
#define GL_TESTS_SUPPORT_HELD_H

#include "tests/support/model.h"

enum { HELD_LOCKS = 63 }; /* mutexes and reader-writer locks in one execution; bit 63 of a mask is free for the caller */

struct held {
    unsigned locks; /* numbered 0, 1 ... as they appear */
    struct {
        enum gl_class class;
        uint64_t object;
    } name[HELD_LOCKS];
    struct held_thread {
        unsigned n; /* exclusive holds, in the order of their outermost acquisition */
        unsigned char exclusive[HELD_LOCKS];
        unsigned char depth[HELD_LOCKS], waits[HELD_LOCKS], reads[HELD_LOCKS]; /* by lock */
    } of[MODEL_THREADS];
};

void held_reset(struct held *h);
void held_step(struct held *h, const struct gl_event *e);

/* Bit i: lock i is held; read holds count if `reads`. */
uint64_t held_mask(const struct held *h, uint32_t thread, bool reads);

/* The lock taken last of those held exclusively; -1: none. */
int held_latest(const struct held *h, uint32_t thread);

#endif
