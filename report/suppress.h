/* SPDX-License-Identifier: Apache-2.0
 *
 * Suppressions: which reports are not printed.  The syntax and the matching are ThreadSanitizer's, so its files serve.
 *
 *     # a comment
 *     race:libfoo.so           # a race with libfoo.so anywhere in one of its stacks
 *     race_top:^inline_counter # only in the innermost frame
 *     deadlock:*Pool::lock$
 *
 * What ThreadSanitizer takes for a part of the pattern, with which it matches nothing, is not: a comment behind it, of which a
 * blank stands in front, and blanks after the colon.
 *
 * A pattern is looked for anywhere in the name; `^` in front and `$` at the end hold it to the ends, `*` stands for any
 * characters.  It is compared with the function, the file and the module of frames, and with the name of a global variable
 * that raced.
 *
 * Not thread-safe: every call under one lock of the caller.
 */
#ifndef GL_REPORT_SUPPRESS_H
#define GL_REPORT_SUPPRESS_H

#include "core/env.h"
#include "report/report.h"

/* The types of ThreadSanitizer's suppressions, in the order of gl_suppress_word(). */
enum gl_suppress_type {
    GL_SUPPRESS_RACE,
    GL_SUPPRESS_RACE_TOP,
    GL_SUPPRESS_MUTEX,
    GL_SUPPRESS_THREAD,
    GL_SUPPRESS_SIGNAL,
    GL_SUPPRESS_CALLED_FROM_LIB,
    GL_SUPPRESS_DEADLOCK,
    GL_SUPPRESS_TYPES
};

struct gl_suppression {
    enum gl_suppress_type type;
    const char *pattern; /* in the text that was parsed; not terminated */
    size_t length;       /* > 0 */
    uint64_t hits;       /* reports that it held back; of called_from_lib places, about */
};

/* Zero-initialised but for env. */
struct gl_suppressions {
    const struct gl_env *env;
    struct gl_suppression *item;
    size_t count, cap;
    size_t of_type[GL_SUPPRESS_TYPES];
};

/* What is wrong in a text, for a sentence of the caller. */
struct gl_suppress_error {
    enum { GL_SUPPRESS_NO_COLON, GL_SUPPRESS_BAD_TYPE, GL_SUPPRESS_NO_PATTERN, GL_SUPPRESS_BAD_BYTE, GL_SUPPRESS_NO_MEMORY } what;
    size_t line;      /* from 1 */
    const char *word; /* the line's start, in the text, of BAD_TYPE without the colon; not terminated */
    size_t length;    /* of it, at most 40 */
};

/* Adds what `text` says; the text is kept, not copied.  false: *error says why, and what came before the mistake counts. */
bool gl_suppress_parse(struct gl_suppressions *s, const char *text, size_t n, struct gl_suppress_error *error);
void gl_suppress_fini(struct gl_suppressions *s);

/* "race", "race_top" ... */
const char *gl_suppress_word(enum gl_suppress_type type);

/* Does the pattern [p, p+n) match the name?  Never an empty name or NULL. */
bool gl_suppress_pattern(const char *p, size_t n, const char *name);

/* The first suppression of that type that matches the name; NULL: none.  Counts nothing. */
struct gl_suppression *gl_suppress_find(const struct gl_suppressions *s, enum gl_suppress_type type, const char *name);

/* The suppression that holds this report back; NULL: none.  Counts nothing.  symbolize as in report/text.h; at most `max_inlined`
 * frames of one program counter are looked at. */
struct gl_suppression *gl_suppress_report(const struct gl_suppressions *s, const struct gl_report *r,
                                          int (*symbolize)(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max),
                                          void *ctx);

#endif
