/* SPDX-License-Identifier: Apache-2.0
 *
 * Which event of a small execution, written by hand, a detector reports first.
 */
#ifndef GL_TESTS_SUPPORT_FIRST_REPORT_H
#define GL_TESTS_SUPPORT_FIRST_REPORT_H

#include "core/detector.h"

/* The number (from 1) of the first of n events that is reported, or 0.  Ends the program when an event is refused, or when
 * the detector does not give all its memory back. */
size_t first_report(const struct gl_detector *d, const struct gl_event *e, size_t n);

#define assert_first(d, number, e) assert_int_equal(first_report(d, e, sizeof(e) / sizeof *(e)), number)

#endif
