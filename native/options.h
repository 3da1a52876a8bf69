/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's options as a struct, filled from the texts of TSAN_OPTIONS and GOLDILOCKS_OPTIONS (syntax:
 * platform/option_text.h, with ':' and ',' as separators).  GOLDILOCKS_OPTIONS comes after TSAN_OPTIONS.
 */
#ifndef GL_NATIVE_OPTIONS_H
#define GL_NATIVE_OPTIONS_H

#include "platform/option_text.h"

/* The order is that of the `values` column in options.def. */
enum rt_on_race { RT_ON_RACE_REPORT, RT_ON_RACE_HALT, RT_ON_RACE_TRAP };
enum rt_format { RT_FORMAT_GOLDILOCKS, RT_FORMAT_TSAN, RT_FORMAT_JSON };
enum rt_record_accesses { RT_RECORD_NEW, RT_RECORD_ALL };
enum rt_release_sequence { RT_RELEASE_SEQUENCE_CXX20, RT_RELEASE_SEQUENCE_C17 };
enum rt_color { RT_COLOR_AUTO, RT_COLOR_ALWAYS, RT_COLOR_NEVER };

struct rt_options {
#define OPTION(type, name, deflt, values, tsan, sentence) GL_OPTION_FIELD(type, name)
#include "native/options.def"
#undef OPTION
};

/* An option of ThreadSanitizer's that is accepted and does nothing here, and why. */
struct rt_ignored_option {
    const char *name, *why;
};
extern const struct rt_ignored_option rt_ignored_options[]; /* ends with a NULL name */

extern const struct gl_option rt_option_table[];
extern const size_t rt_option_count;

/* Sets *out to the defaults, then to what `tsan` says, then to what `own` says; both may be NULL.
 * In `tsan`, names without a counterpart here are passed over silently (ThreadSanitizer has many more);
 * in `own` they are an error.  false: `error` holds one sentence without a newline, and *out is
 * complete but holds only what came before the mistake.  cap > 0. */
bool rt_options_parse(const char *tsan, const char *own, struct rt_options *out, char *error, size_t cap);

/* The same, with what the program's __tsan_default_options() gave in front; it is read like `tsan`. */
bool rt_options_parse_with(const char *program, const char *tsan_name, const char *tsan, const char *own, struct rt_options *out, char *error, size_t cap);

/* Is this one of rt_ignored_options[] set in such a text? */
bool rt_options_mention(const char *text, const char *name);

/* The table as text, one option per paragraph, given to `put` piece by piece. */
void rt_options_print(void (*put)(void *ctx, const char *text, size_t n), void *ctx);

#endif
