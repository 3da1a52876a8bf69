/* SPDX-License-Identifier: Apache-2.0
 *
 * Options detector and record: whom the serial way (serial.h) tells, and the file of a recording.
 */
#ifndef GL_JAVA_RECORD_H
#define GL_JAVA_RECORD_H

#include <stdbool.h>
#include <stddef.h>

/* Begins the serial way, if the options ask for it; *on says so.  Before gl_jbridge_start().  false: error says why not. */
bool gl_j_record_begin(bool *on, char *error, size_t cap);
/* Completes the file and says what there is to say; the second call does nothing. */
void gl_j_record_end(void);
/* Is the detector precise, so that nothing orders the accesses of a reported pair? */
bool gl_j_record_precise(void);
/* The detector that judges, by name. */
const char *gl_j_record_detector(void);

#endif
