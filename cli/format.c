/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/format.h"

bool gl_trace_format_asked(const struct gl_command *cmd, const char *flag, const char *name, bool writable,
                           enum gl_trace_format *out)
{
    *out = gl_trace_format_by_name(name);
    bool fine = *out != GL_TRACE_UNKNOWN && (!writable || *out == GL_TRACE_STD || *out == GL_TRACE_BINARY);
    if (!fine)
        gl_complain(cmd, "--%s cannot be '%s'; it is %s", flag, name,
                    writable ? "std or binary" : "std, csv, roadrunner, rapidbin or binary");
    return fine;
}
