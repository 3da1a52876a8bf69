/* SPDX-License-Identifier: Apache-2.0
 *
 * From the text of a name to its number, fast (private to trace/).
 *
 * Names in traces are mostly a letter and a number: T12, V1234, 57.  Such a text of at most 8 characters is found in
 * an array of its kind and letter, indexed by the number: one load, where a hash table over 100,000 names costs a cache
 * miss or two.  The arrays only remember what the slow way has answered for exactly that text, so that all
 * rules about names (which characters, how thread names are normalised) are in one place, the slow way.
 */
#ifndef GL_TRACE_TOKEN_H
#define GL_TRACE_TOKEN_H

#include "trace/names.h"
#include "trace/scan.h"

enum { GL_RUNS = 16 }; /* letters per kind; more of them take the hash table */

struct gl_run {
    unsigned prefix;  /* as in struct gl_short_token */
    uint32_t *answer; /* by number; answer + 1, 0: not known */
    uint64_t limit;   /* numbers below have an entry */
};

struct gl_tokens {
    struct gl_env env;
    struct gl_names *names;
    bool encoded; /* `%28` in a name stands for `(` */
    struct gl_run run[GL_NAME_KINDS][GL_RUNS];
};

/* What a token stands for: the number of the name; of kind DATA a quarter of its place, gl_data_of_name() / 4. */
#define GL_TOKEN_UNKNOWN UINT32_MAX

/* Where the answer for the `length` (1..8) characters of w is, plus 1 (0: it was not given before), until the next gl_token() or
 * gl_token_found().  NULL: these are no letter and number, or there is no place for the number. */
static inline const uint32_t *gl_token_place(const struct gl_tokens *t, enum gl_name_kind kind, uint64_t w, unsigned length)
{
    struct gl_short_token token;
    if (!gl_short_token(w, length, &token))
        return NULL;
    const struct gl_run *run = &t->run[kind][token.prefix % GL_RUNS];
    return run->prefix != token.prefix || token.number >= run->limit ? NULL : &run->answer[token.number];
}

/* The answer for these characters, if it was given before. */
static inline uint32_t gl_token_known(const struct gl_tokens *t, enum gl_name_kind kind, uint64_t w, unsigned length)
{
    const uint32_t *place = gl_token_place(t, kind, w, length);
    return place ? *place - 1 : GL_TOKEN_UNKNOWN;
}

void gl_tokens_init(struct gl_tokens *t, const struct gl_env *env, struct gl_names *names, bool encoded);
void gl_tokens_fini(struct gl_tokens *t);

/* The answer for n > 0 characters; GL_TOKEN_UNKNOWN: *why is a sentence. */
uint32_t gl_token(struct gl_tokens *t, enum gl_name_kind kind, const char *s, size_t n, const char **why);

/* The answer for a name without `%`, `@`, `,`, `;`, `#` or blanks, if it was given before; GL_TOKEN_UNKNOWN: perhaps not. */
uint32_t gl_token_found(struct gl_tokens *t, enum gl_name_kind kind, const char *s, size_t n);

#endif
