/* SPDX-License-Identifier: Apache-2.0
 *
 * Detectors on the command line.
 */
#ifndef GL_CLI_DETECTORS_H
#define GL_CLI_DETECTORS_H

#include "cli/cmd.h"
#include "core/detector.h"

/* The detector of that name.  NULL: a sentence has been printed. */
const struct gl_detector *gl_detector_asked(const struct gl_command *cmd, const char *name);

#endif
