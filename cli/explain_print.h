/* SPDX-License-Identifier: Apache-2.0
 *
 * The explanation of one access of a recorded execution, for people or as JSON: how the Goldilockset of its byte
 * moved, which rule moved it, and why the verdict follows.  docs/explain.md says how to read it.
 */
#ifndef GL_CLI_EXPLAIN_PRINT_H
#define GL_CLI_EXPLAIN_PRINT_H

#include <stdio.h>

#include "cli/cmd.h"
#include "trace/trace.h"

struct gl_explain_request {
    const char *path;   /* of the trace, for headings and complaints */
    const void *bytes;  /* the trace itself; the caller's */
    size_t size;
    enum gl_trace_format format;
    uint64_t variable;  /* first byte of its 4-byte word, in the dense space of trace/names.h */
    uint64_t now;       /* the access to explain, by its record (line); 0: the first race, or else all accesses */
    bool full;          /* also the events that change nothing */
    bool json;
    bool lenient;       /* events that cannot happen are left out */
};

/* Reads the trace twice: for the verdict, then for the story.  Of the word's bytes it explains the first one that races
 * (at `now`), or else the one that is accessed most.  0: no race; 66 (GL_EXIT_RACE): a race; GL_EXIT_USAGE: a
 * sentence has been printed on stderr, and nothing, or half of the story, on `out`. */
int gl_explain_print(FILE *out, const struct gl_command *cmd, const struct gl_env *env,
                     const struct gl_explain_request *request);

/* Room for the name of a variable: "x", or "0x7f001230". */
enum { GL_VARIABLE_NAME_MAX = 160, GL_VARIABLE_BYTES = 4 };

#endif
