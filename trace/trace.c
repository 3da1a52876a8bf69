/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/trace.h"

static const char *const format_names[] = {"unknown", "std", "csv", "roadrunner", "rapidbin", "binary"};

const char *gl_trace_format_name(enum gl_trace_format f) { return format_names[f]; }

enum gl_trace_format gl_trace_format_by_name(const char *name)
{
    for (int f = GL_TRACE_STD; f <= GL_TRACE_BINARY; f++) {
        const char *a = format_names[f], *b = name;
        while (*a && *a == *b)
            a++, b++;
        if (*a == *b)
            return (enum gl_trace_format)f;
    }
    return GL_TRACE_UNKNOWN;
}
