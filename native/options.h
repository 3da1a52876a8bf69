/* SPDX-License-Identifier: Apache-2.0
 *
 * The runtime's options as a struct, and the parser that fills it from the texts of TSAN_OPTIONS and
 * GOLDILOCKS_OPTIONS.  It reads no environment, allocates nothing and calls only mem* and
 * gl_format(), so it serves the runtime at start-up and the command alike.
 *
 * Syntax of both texts: NAME=VALUE, separated by any of ':' ',' space, tab, newline.  A value may be
 * quoted, 'like this' or "like this", and then holds separators; there are no escapes.  The last
 * setting of an option wins, and GOLDILOCKS_OPTIONS comes after TSAN_OPTIONS.
 */
#ifndef GL_NATIVE_OPTIONS_H
#define GL_NATIVE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* The order is that of the `values` column in options.def. */
enum rt_on_race { RT_ON_RACE_REPORT, RT_ON_RACE_HALT, RT_ON_RACE_TRAP };
enum rt_format { RT_FORMAT_GOLDILOCKS, RT_FORMAT_TSAN };
enum rt_color { RT_COLOR_AUTO, RT_COLOR_ALWAYS, RT_COLOR_NEVER };

enum { RT_OPTION_TEXT_MAX = 1024 }; /* bytes of a TEXT value with its NUL; longer ones are refused */

#define RT_FIELD_BOOL(name) bool name;
#define RT_FIELD_INT(name) int name;
#define RT_FIELD_ENUM(name) int name;
#define RT_FIELD_TEXT(name) char name[RT_OPTION_TEXT_MAX];
#define RT_FIELD_SHORT(name)

struct rt_options {
#define OPTION(type, name, deflt, values, tsan, sentence) RT_FIELD_##type(name)
#include "native/options.def"
#undef OPTION
};

enum rt_option_type { RT_TYPE_BOOL, RT_TYPE_INT, RT_TYPE_ENUM, RT_TYPE_TEXT, RT_TYPE_SHORT };

struct rt_option {
    const char *name;
    enum rt_option_type type;
    const char *deflt;  /* as one would write it */
    const char *values; /* see options.def */
    const char *tsan;   /* "" = no ThreadSanitizer option means the same */
    const char *sentence;
    size_t offset; /* of the field in struct rt_options; not used by RT_TYPE_SHORT */
};

extern const struct rt_option rt_option_table[];
extern const size_t rt_option_count;

/* Sets *out to the defaults, then to what `tsan` says, then to what `own` says; both may be NULL.
 * In `tsan`, names without a counterpart here are passed over silently (ThreadSanitizer has many more);
 * in `own` they are an error.  false: `error` holds one sentence without a newline, and *out is
 * complete but holds only what came before the mistake.  cap > 0. */
bool rt_options_parse(const char *tsan, const char *own, struct rt_options *out, char *error, size_t cap);

/* The nearest name to `word` by edit distance among `count` names, or NULL when none is near enough
 * to be what was meant. */
const char *rt_nearest_name(const char *word, size_t length, const char *const *names, size_t count);

/* The table as text, one option per paragraph, given to `put` piece by piece. */
void rt_options_print(void (*put)(void *ctx, const char *text, size_t n), void *ctx);

#endif
