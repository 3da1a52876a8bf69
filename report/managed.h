/* SPDX-License-Identifier: Apache-2.0
 *
 * A race in a managed program (Java) as data, and that as text or JSON.  There a variable has a name, not an
 * address, and a frame is a method, not a program counter; so it is another struct than report.h's.
 *
 * Names are as the JVM gives them (modified UTF-8) and may be cut anywhere; what is printed is UTF-8.
 *
 * Everything is borrowed from the collector until the printer returns.  Thread-safe and without state; allocates
 * nothing.
 */
#ifndef GL_REPORT_MANAGED_H
#define GL_REPORT_MANAGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gl_managed_frame {
    const char *class_name; /* "a.b.C" */
    const char *method;
    const char *file; /* NULL: unknown */
    uint32_t line;    /* 0: unknown */
};

struct gl_managed_access {
    bool write;
    const char *thread; /* its name; NULL: not known */
    uint64_t thread_id; /* behind its name in text; 0: none */
    uint64_t number;    /* the detector's, one for each thread; 0: not known */
    const struct gl_managed_frame *frame; /* innermost first, at least one */
    size_t frames;
    bool whole; /* false: who called the innermost frame is not known */
};

struct gl_managed_allocation {
    const char *thread; /* as in an access */
    uint64_t thread_id, number;
    struct gl_managed_frame at;
};

struct gl_managed_report {
    uint32_t pid;
    const char *variable; /* "a.b.C.field", "int[][3]" */
    const char *object;   /* "a.b.C@1b2c3d"; NULL: a static field */
    bool tells_allocation; /* false: nobody has asked for the next one */
    const struct gl_managed_allocation *allocated; /* the object; NULL: not known */
    struct gl_managed_access access[2]; /* [0] the one that found the race, [1] the earlier one */
    const char *why;      /* why nothing orders the two: the end of that sentence; NULL: not told */
    uint64_t occurrences; /* of races of this pair of places until now, this one included */
};

typedef void gl_managed_write(void *ctx, const char *text, size_t n); /* text is not terminated */

void gl_managed_text(const struct gl_managed_report *r, gl_managed_write *write, void *ctx);
void gl_managed_line(const struct gl_managed_report *r, gl_managed_write *write, void *ctx); /* one line */
/* One JSON object (RFC 8259) and a newline; members: docs/report-json.md. */
void gl_managed_json(const struct gl_managed_report *r, gl_managed_write *write, void *ctx);

#endif
