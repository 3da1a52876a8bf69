/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of the runtime's options, and the two texts they are read from.
 */
#include "native/options.h"

const struct gl_option rt_option_table[] = {
#define OPTION(type, name, deflt, values, tsan, sentence) \
    GL_OPTION_ROW(struct rt_options, type, name, deflt, values, tsan, sentence)
#include "native/options.def"
#undef OPTION
};

enum { OPTION_COUNT = sizeof rt_option_table / sizeof rt_option_table[0] };
const size_t rt_option_count = OPTION_COUNT;

static const struct gl_option_set set = {rt_option_table, OPTION_COUNT, sizeof(struct rt_options), ":,", "goldilocks options"};

bool rt_options_parse_with(const char *program, const char *tsan_name, const char *tsan, const char *own, struct rt_options *out, char *error,
                           size_t cap)
{
    return gl_options_defaults(&set, out, error, cap) &&
           gl_options_text(&set, "__tsan_default_options()", true, program, out, error, cap) &&
           gl_options_text(&set, tsan_name, true, tsan, out, error, cap) &&
           gl_options_text(&set, "GOLDILOCKS_OPTIONS", false, own, out, error, cap);
}

bool rt_options_parse(const char *tsan, const char *own, struct rt_options *out, char *error, size_t cap)
{
    return rt_options_parse_with(NULL, "TSAN_OPTIONS", tsan, own, out, error, cap);
}

const struct rt_ignored_option rt_ignored_options[] = {
#define IGNORED(name, why) {#name, why},
#include "native/ignored.def"
#undef IGNORED
    {NULL, NULL},
};

static bool is_name_char(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool rt_options_mention(const char *text, const char *name)
{
    size_t n = __builtin_strlen(name);
    for (const char *s = text; s && *s; s++)
        if ((s == text || !is_name_char(s[-1])) && __builtin_strncmp(s, name, n) == 0 && s[n] == '=')
            return true;
    return false;
}

void rt_options_print(void (*put)(void *ctx, const char *text, size_t n), void *ctx)
{
    gl_options_print(&set, "TSAN_OPTIONS", put, ctx);
}
