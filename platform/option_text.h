/* SPDX-License-Identifier: Apache-2.0
 *
 * Options as a table, and the parser that fills a struct from texts like those in GOLDILOCKS_OPTIONS or after
 * -agentpath:...=.  It reads no environment, allocates nothing and calls only mem* and gl_format(), so it serves
 * a runtime at start-up and the command alike.
 *
 * Syntax: NAME=VALUE, separated by blanks or any of the set's separators.  A value may be quoted, 'like this' or
 * "like this", and then holds separators; there are no escapes.  The last setting of an option wins.
 */
#ifndef GL_PLATFORM_OPTION_TEXT_H
#define GL_PLATFORM_OPTION_TEXT_H

#include <stdbool.h>
#include <stddef.h>

enum { GL_OPTION_TEXT_MAX = 1024 }; /* bytes of a TEXT value with its NUL; longer ones are refused */
enum { GL_OPTION_SET_MAX = 64 };    /* options whose names are looked through for a slip */

/* A table is written once, in a .def file of OPTION(type, name, default, values, alias, sentence) lines; from it come
 * the struct (GL_OPTION_FIELD) and the table (GL_OPTION_ROW).
 *
 * type      the field: BOOL is a bool, INT and ENUM an int, TEXT an array of characters; SHORT has no field: setting it
 *           to true means its `values` column, false means that option's default.
 * values    INT: "low..high"; ENUM: the names in the order of the C enum; both are read by the parser.
 * alias     another tool's name of it; "": none. */
#define GL_OPTION_FIELD_BOOL(name) bool name;
#define GL_OPTION_FIELD_INT(name) int name;
#define GL_OPTION_FIELD_ENUM(name) int name;
#define GL_OPTION_FIELD_TEXT(name) char name[GL_OPTION_TEXT_MAX];
#define GL_OPTION_FIELD_SHORT(name)
#define GL_OPTION_FIELD(type, name) GL_OPTION_FIELD_##type(name)

#define GL_OPTION_AT_BOOL(of, name) offsetof(of, name)
#define GL_OPTION_AT_INT(of, name) offsetof(of, name)
#define GL_OPTION_AT_ENUM(of, name) offsetof(of, name)
#define GL_OPTION_AT_TEXT(of, name) offsetof(of, name)
#define GL_OPTION_AT_SHORT(of, name) 0
#define GL_OPTION_ROW(of, type, name, deflt, values, alias, sentence) \
    {#name, GL_OPTION_##type, deflt, values, alias, sentence, GL_OPTION_AT_##type(of, name)},

enum gl_option_type { GL_OPTION_BOOL, GL_OPTION_INT, GL_OPTION_ENUM, GL_OPTION_TEXT, GL_OPTION_SHORT };

struct gl_option {
    const char *name;
    enum gl_option_type type;
    const char *deflt; /* as one would write it */
    const char *values;
    const char *alias;
    const char *sentence;
    size_t offset; /* of the field; not used by SHORT */
};

struct gl_option_set {
    const struct gl_option *table;
    size_t count;
    size_t size;              /* of the struct */
    const char *separators;   /* besides blanks */
    const char *list_command; /* what a user types to see them all */
};

/* Sets the struct `out` to the defaults.  false: `error` holds one sentence without a newline.  cap > 0. */
bool gl_options_defaults(const struct gl_option_set *set, void *out, char *error, size_t cap);

/* Sets what `text` says (NULL: nothing), which came from `source`.  by_alias: names are those of the alias column, and unknown
 * ones are passed over silently (another tool has many more).  false: `error` holds a sentence; what came before the mistake is set. */
bool gl_options_text(const struct gl_option_set *set, const char *source, bool by_alias, const char *text, void *out,
                     char *error, size_t cap);

/* The nearest name to `word` by edit distance among `count` names, or NULL when none is near enough
 * to be what was meant. */
const char *gl_nearest_name(const char *word, size_t length, const char *const *names, size_t count);

/* The table as text, one option per paragraph, given to `put` piece by piece.  alias_source: whose names the aliases are. */
void gl_options_print(const struct gl_option_set *set, const char *alias_source,
                      void (*put)(void *ctx, const char *text, size_t n), void *ctx);

#endif
