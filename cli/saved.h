/* SPDX-License-Identifier: Apache-2.0
 *
 * A report that a program under test wrote as JSON (docs/report-json.md; docs/java.md for the Java agent's), as the structs that
 * printers take, and as a list of stacks with headings for those that make pages of it.
 */
#ifndef GL_CLI_SAVED_H
#define GL_CLI_SAVED_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "report/managed.h"
#include "report/report.h"

struct gl_saved {
    bool managed;          /* which of the two */
    struct gl_report native;
    struct gl_managed_report java;
    const char *type;      /* "data-race" */
    const char *title;     /* "data race" */
    json_t *json;          /* owns the strings */
    void *blocks;          /* of memory; owned */
    size_t threads, mutexes; /* found so far, while reading */
};

/* Takes the object over, whatever the answer.  False: *why is what it lacks ("has no 'type'"), and there is nothing to free. */
bool gl_saved_read(json_t *json, struct gl_saved *out, const char **why);
void gl_saved_free(struct gl_saved *s);

/* One stack of a report.  The first that is told is what the report is about. */
struct gl_saved_stack {
    const char *heading;   /* "Write of size 4 at 0x... by thread T1"; valid during the call */
    bool about;            /* an access, or where a mistake was made; else where something came from */
    const struct gl_report_frame *frame; /* of Java: function is class.method */
    size_t frames;
};
void gl_saved_each_stack(const struct gl_saved *s, void (*visit)(void *ctx, const struct gl_saved_stack *stack), void *ctx);

#endif
