/* SPDX-License-Identifier: Apache-2.0
 *
 * See token.h.
 */
#include "trace/token.h"
#include "trace/text.h"

enum {
    NAME_MAX = 4096,            /* bytes of a name */
    RUN_MIN = 1024,             /* entries */
    SPARSE = 8                  /* entries of a run per name of its kind, at most */
};

void gl_tokens_init(struct gl_tokens *t, const struct gl_env *env, struct gl_names *names, bool encoded)
{
    *t = (struct gl_tokens){.env = *env, .names = names, .encoded = encoded};
}

void gl_tokens_fini(struct gl_tokens *t)
{
    for (int k = 0; k < GL_NAME_KINDS; k++)
        for (int i = 0; i < GL_RUNS; i++)
            if (t->run[k][i].answer)
                t->env.unmap(t->env.ctx, t->run[k][i].answer, t->run[k][i].limit * sizeof(uint32_t));
}

static bool all_digits(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] < '0' || s[i] > '9')
            return false;
    return true;
}

/* Room for entry `number` in the run?  Not when that would make it sparse, or when there is no memory. */
static bool run_reaches(struct gl_tokens *t, struct gl_run *run, enum gl_name_kind kind, uint32_t number)
{
    if (number < run->limit)
        return true;
    uint64_t limit = run->limit ? run->limit : RUN_MIN;
    while (limit <= number)
        limit *= 2;
    if (limit > RUN_MIN && limit > (uint64_t)SPARSE * gl_names_count(t->names, kind))
        return false;
    uint32_t *fresh = gl_env_map_whole(&t->env, limit * sizeof *fresh);
    if (!fresh)
        return false;
    if (run->answer) {
        memcpy(fresh, run->answer, run->limit * sizeof *fresh);
        t->env.unmap(t->env.ctx, run->answer, run->limit * sizeof *fresh);
    }
    run->answer = fresh;
    run->limit = limit;
    return true;
}

static void remember(struct gl_tokens *t, enum gl_name_kind kind, const char *s, size_t n, uint32_t answer)
{
    char padded[8] = {0};
    struct gl_short_token token;
    if (n > sizeof padded)
        return;
    memcpy(padded, s, n);
    if (!gl_short_token(gl_load8(padded), (unsigned)n, &token))
        return;
    struct gl_run *run = &t->run[kind][token.prefix % GL_RUNS];
    if ((run->answer && run->prefix != token.prefix) || !run_reaches(t, run, kind, token.number))
        return;
    run->prefix = token.prefix;
    run->answer[token.number] = answer + 1;
}

/* What a numbered name answers. */
static uint32_t answer_of(struct gl_names *names, enum gl_name_kind kind, uint32_t number, const char **why)
{
    uint64_t place = kind == GL_NAME_DATA ? gl_data_of_name(names, number) : number;
    if (place == UINT64_MAX) {
        *why = GL_TRACE_NO_MEMORY;
        return GL_TOKEN_UNKNOWN;
    }
    if (kind == GL_NAME_DATA)
        place /= 4;
    if (place >= UINT32_MAX) {
        *why = "more than 16 GiB of data";
        return GL_TOKEN_UNKNOWN;
    }
    return (uint32_t)place;
}

uint32_t gl_token_found(struct gl_tokens *t, enum gl_name_kind kind, const char *s, size_t n)
{
    if (kind == GL_NAME_THREAD && all_digits(s, n))
        return GL_TOKEN_UNKNOWN;
    for (size_t i = 0; i < n; i++)
        if (s[i] == '%' || s[i] == '@' || s[i] == ',' || s[i] == ';' || s[i] == '#' || s[i] == ' ')
            return GL_TOKEN_UNKNOWN;
    uint32_t number = gl_name_find(t->names, kind, s, n);
    const char *why;
    if (number == UINT32_MAX)
        return GL_TOKEN_UNKNOWN;
    uint32_t answer = answer_of(t->names, kind, number, &why);
    if (answer != GL_TOKEN_UNKNOWN)
        remember(t, kind, s, n, answer); /* there was no room when it was met first */
    return answer;
}

uint32_t gl_token(struct gl_tokens *t, enum gl_name_kind kind, const char *s, size_t n, const char **why)
{
    if (n <= 8) {
        char padded[8] = {0};
        memcpy(padded, s, n);
        uint32_t known = gl_token_known(t, kind, gl_load8(padded), (unsigned)n);
        if (known != GL_TOKEN_UNKNOWN)
            return known;
    }
    char buffer[GL_NAME_SPELLED_MAX + 1];
    const char *name = s;
    size_t length = n;
    if (t->encoded && n <= GL_NAME_SPELLED_MAX && memchr(s, '%', n)) {
        length = n == 1 && kind != GL_NAME_LOCATION ? 0 : gl_name_decode(buffer, s, n); /* % alone: the name without characters */
        name = buffer;
    } else if (kind == GL_NAME_THREAD && n < NAME_MAX && all_digits(s, n)) {
        buffer[0] = 'T'; /* 122, as in fork(122), is thread T122 */
        memcpy(buffer + 1, s, n);
        name = buffer;
        length = n + 1;
    }
    if (length > NAME_MAX) {
        *why = "a name of more than 4096 characters";
        return GL_TOKEN_UNKNOWN;
    }
    uint32_t number = gl_name_number(t->names, kind, name, length);
    if (number == UINT32_MAX) {
        *why = GL_TRACE_NO_MEMORY;
        return GL_TOKEN_UNKNOWN;
    }
    uint32_t answer = answer_of(t->names, kind, number, why);
    if (answer != GL_TOKEN_UNKNOWN)
        remember(t, kind, s, n, answer);
    return answer;
}
