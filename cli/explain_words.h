/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of an explanation: names of the elements of Goldilocksets, events as text, and what one would have had to
 * do to take ownership from an element.  All texts are cut to fit, and zero-terminated.
 */
#ifndef GL_CLI_EXPLAIN_WORDS_H
#define GL_CLI_EXPLAIN_WORDS_H

#include "peers/explain.h"
#include "trace/trace.h"

enum { GL_WORDS_MAX = 320 };

struct gl_words {
    char text[GL_WORDS_MAX];
};

struct gl_words gl_words_thread(const struct gl_names *names, uint32_t thread);
/* As in the papers' sets: T1, m, and beyond them L(w) L(r) b(0) TX(x) F(T1) A(T1). */
struct gl_words gl_words_element(const struct gl_names *names, struct gl_element x);
/* "w", "st.rel". */
struct gl_words gl_words_op(enum gl_op op, enum gl_order order);
/* "" if the event has none. */
struct gl_words gl_words_location(const struct gl_names *names, const struct gl_event *e);
/* As a line of the text format, without the location. */
struct gl_words gl_words_event(const struct gl_env *env, const struct gl_names *names, const struct gl_event *e);
/* Why the step did what it did. */
struct gl_words gl_words_step(const struct gl_names *names, const struct gl_explain_step *s, const char *unit);
/* "T1's write". */
struct gl_words gl_words_access(const struct gl_names *names, const struct gl_access_at *a);

/* What `thread` would have had to do with a member of the set: "acquires m". */
struct gl_words gl_words_to_do(const struct gl_names *names, struct gl_element x, uint32_t thread);
/* The same, done: "acquired m". */
struct gl_words gl_words_done(const struct gl_names *names, struct gl_element x);
/* What gives to an element: "release". */
const char *gl_words_source(struct gl_element x);

#endif
