/* SPDX-License-Identifier: Apache-2.0
 *
 * Formats of traces on the command line.
 */
#ifndef GL_CLI_FORMAT_H
#define GL_CLI_FORMAT_H

#include "cli/cmd.h"
#include "trace/trace.h"

/* The format that --flag names; writable: one that we can write.  False: a sentence has been printed. */
bool gl_trace_format_asked(const struct gl_command *cmd, const char *flag, const char *name, bool writable,
                           enum gl_trace_format *out);

#endif
