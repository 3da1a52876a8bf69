/* SPDX-License-Identifier: Apache-2.0
 *
 * What every detector has to bear: memory that runs out anywhere, and events that cannot happen.
 */
#ifndef GL_TESTS_SUPPORT_HARDSHIP_H
#define GL_TESTS_SUPPORT_HARDSHIP_H

#include "core/detector.h"
#include "tests/support/execution.h"

/* Runs the execution again and again, each time with one more map() that works: one failure only, and then all
 * from there on.  True: no run ended otherwise than with GL_OK, GL_RACE or GL_NOMEM, a precise detector invented no
 * race, and all memory was given back.  *runs: how many there were. */
bool bears_lack_of_memory(const struct gl_detector *d, const struct execution *x, unsigned *runs);

/* Random events, most of which cannot happen: true if `d` and `judge` refuse the same ones. */
bool refuses_the_same(const struct gl_detector *d, const struct gl_detector *judge, uint64_t seed, unsigned events);

#endif
