/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes, read as a file of suppressions (libFuzzer).  What must hold for all of them:
 *
 *   1. no crash, no undefined behaviour; memory is bounded and given back;
 *   2. an error names a line that exists and a word inside the text;
 *   3. every suppression lies inside the text, on one line, and is not empty;
 *   4. each pattern can be held against any name; the one without `^ $ *` matches itself.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/suppress.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static size_t mapped;

#define MUST(condition) \
    ((condition) ? (void)0 : (fprintf(stderr, "suppress_fuzz: line %d: %s does not hold\n", __LINE__, #condition), abort()))

static void *map(void *ctx, size_t bytes)
{
    (void)ctx;
    mapped += bytes;
    return calloc(1, bytes);
}

static void unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    mapped -= bytes;
    free(p);
}

static const struct gl_env env = {.map = map, .unmap = unmap};

static void check(const struct gl_suppression *s, const char *text, size_t size)
{
    MUST(s->length > 0 && s->pattern >= text && s->pattern + s->length <= text + size && s->type < GL_SUPPRESS_TYPES);
    MUST(!memchr(s->pattern, '\n', s->length) && !memchr(s->pattern, 0, s->length));
    char *itself = malloc(s->length + 1);
    memcpy(itself, s->pattern, s->length);
    itself[s->length] = 0;
    bool matches = gl_suppress_pattern(s->pattern, s->length, itself);
    MUST(matches || strpbrk(itself, "^$*"));
    (void)gl_suppress_pattern(s->pattern, s->length, "a function(with arguments)");
    MUST(!gl_suppress_pattern(s->pattern, s->length, ""));
    free(itself);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct gl_suppressions s = {.env = &env};
    struct gl_suppress_error error;
    char *text = malloc(size ? size : 1); /* of its own, so that a read past the end is seen */
    if (size)
        memcpy(text, bytes, size);
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    if (!gl_suppress_parse(&s, text, size, &error)) {
        MUST(error.line >= 1 && error.line <= lines && error.what != GL_SUPPRESS_NO_MEMORY);
        MUST(error.word >= text && error.word + error.length <= text + size && error.length <= 40);
        MUST(error.length > 0 || *error.word == ':');
    }
    MUST(s.count <= lines);
    for (size_t i = 0; i < s.count; i++)
        check(&s.item[i], text, size);
    gl_suppress_fini(&s);
    MUST(mapped == 0);
    free(text);
    return 0;
}
