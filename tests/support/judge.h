/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs a detector on an execution and holds every verdict against the oracle.
 */
#ifndef GL_TESTS_SUPPORT_JUDGE_H
#define GL_TESTS_SUPPORT_JUDGE_H

#include "core/detector.h"
#include "tests/support/execution.h"
#include "tests/support/oracle.h"

struct disagreement {
    size_t event;
    char what[240];
};

/* The detector, fresh, sees the whole execution; the oracle has run on it.  True: they agree, that is
 *   1. each event is possible, and the detector has room for it;
 *   2. the first race of each byte, in each of its lives, is found, and none is invented;
 *   3. a race names the access itself, and an earlier one of the execution that it really races with
 *      (events have sites, not 0.  When several have the same, one of them, by the thread that the race names).
 * Otherwise *d is the first difference. */
bool judge(const struct gl_detector *detector, const struct execution *x, const struct oracle *o,
           struct disagreement *d);

/* From now on judge() adds up what detectors say of this counter (core/counters.def); NULL: of none. */
void judge_watch(const char *counter);
uint64_t judge_watched(void); /* since then */

#endif
