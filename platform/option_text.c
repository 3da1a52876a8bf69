/* SPDX-License-Identifier: Apache-2.0
 *
 * Options as text.  The texts come from the environment of a stranger's process and are trusted in nothing: every
 * length is checked before use, what an error quotes is cut short and freed of control characters.
 */
#include "platform/option_text.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "platform/platform.h"

/* A stretch of the text being parsed; not terminated. */
struct span {
    const char *at;
    size_t length;
};

struct parser {
    const struct gl_option_set *set;
    const char *source; /* where the text comes from, for messages */
    bool by_alias;
    void *out;
    char *error;
    size_t cap;
};

static size_t text_length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static struct span span_of(const char *s) { return (struct span){s, text_length(s)}; }

static bool span_is(struct span a, const char *b)
{
    size_t n = text_length(b);
    return a.length == n && memcmp(a.at, b, n) == 0;
}

/* ---- messages --------------------------------------------------------------------------------- */

enum { QUOTED_MAX = 48 };

/* At most QUOTED_MAX printable bytes of s, so that a message stays one readable line. */
static const char *quoted(struct span s, char buf[QUOTED_MAX + 4])
{
    size_t n = s.length < QUOTED_MAX ? s.length : QUOTED_MAX;
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s.at[i];
        buf[i] = c >= 0x20 && c < 0x7f ? (char)c : '?';
    }
    if (s.length > QUOTED_MAX) {
        memcpy(buf + n, "...", 3);
        n += 3;
    }
    buf[n] = 0;
    return buf;
}

static bool bad_value(struct parser *p, const struct gl_option *o, struct span value, const char *expected)
{
    char text[QUOTED_MAX + 4];
    gl_format(p->error, p->cap, "%s: option %s cannot be '%s'; expected %s", p->source,
              p->by_alias ? o->alias : o->name, quoted(value, text), expected);
    return false;
}

enum { NAME_MAX_LENGTH = 32 }; /* of the words that are compared; longer ones are near to nothing */

static unsigned edit_distance(const char *a, size_t an, const char *b, size_t bn)
{
    unsigned row[NAME_MAX_LENGTH + 1]; /* an, bn <= NAME_MAX_LENGTH, checked by the caller */
    for (size_t j = 0; j <= bn; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= an; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= bn; j++) {
            unsigned change = diagonal + (a[i - 1] != b[j - 1]);
            unsigned least = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < least ? change : least;
        }
    }
    return row[bn];
}

const char *gl_nearest_name(const char *word, size_t length, const char *const *names, size_t count)
{
    const char *best = NULL;
    unsigned best_distance = UINT_MAX;
    if (length > NAME_MAX_LENGTH)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t n = text_length(names[i]);
        if (n > NAME_MAX_LENGTH)
            continue;
        unsigned d = edit_distance(word, length, names[i], n);
        if (d < best_distance) {
            best_distance = d;
            best = names[i];
        }
    }
    /* More than half of the letters wrong is another word, not a slip. */
    return best && best_distance * 2 <= length ? best : NULL;
}

static bool unknown_name(struct parser *p, struct span name)
{
    char text[QUOTED_MAX + 4];
    const char *names[GL_OPTION_SET_MAX];
    size_t count = p->set->count < GL_OPTION_SET_MAX ? p->set->count : GL_OPTION_SET_MAX;
    for (size_t i = 0; i < count; i++)
        names[i] = p->set->table[i].name;
    const char *near = gl_nearest_name(name.at, name.length, names, count);
    gl_format(p->error, p->cap, "%s: unknown option '%s'%s%s%s; '%s' lists them all", p->source,
              quoted(name, text), near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "",
              p->set->list_command);
    return false;
}

/* ---- values ----------------------------------------------------------------------------------- */

static bool read_bool(struct span v, bool *out)
{
    static const char *const yes[] = {"1", "yes", "true", "on"}, *const no[] = {"0", "no", "false", "off"};
    for (size_t i = 0; i < sizeof yes / sizeof yes[0]; i++) {
        if (span_is(v, yes[i]))
            return *out = true, true;
        if (span_is(v, no[i]))
            return *out = false, true;
    }
    return false;
}

static bool read_int(struct span v, int *out)
{
    bool negative = v.length && v.at[0] == '-';
    int64_t n = 0;
    if (v.length == negative)
        return false; /* no digit */
    for (size_t i = negative; i < v.length; i++) {
        if (v.at[i] < '0' || v.at[i] > '9')
            return false;
        n = n * 10 + (v.at[i] - '0');
        if (n > INT_MAX)
            return false; /* before the next step can overflow */
    }
    *out = (int)(negative ? -n : n);
    return true;
}

/* "low..high", from the table. */
static bool in_range(int n, const char *range)
{
    struct span all = span_of(range), low = all, high = all;
    int from, to;
    for (low.length = 0; range[low.length] != '.'; low.length++)
        continue;
    high.at += low.length + 2;
    high.length -= low.length + 2;
    return read_int(low, &from) && read_int(high, &to) && n >= from && n <= to;
}

/* "a|b|c", from the table; the position of v. */
static bool read_choice(struct span v, const char *choices, int *out)
{
    int position = 0;
    for (const char *c = choices;; position++) {
        struct span choice = {c, 0};
        while (c[choice.length] && c[choice.length] != '|')
            choice.length++;
        if (v.length == choice.length && memcmp(v.at, c, v.length) == 0)
            return *out = position, true;
        if (!c[choice.length])
            return false;
        c += choice.length + 1;
    }
}

static const struct gl_option *find(const struct gl_option_set *set, struct span name, bool by_alias)
{
    if (!name.length)
        return NULL; /* else it would match an option without an alias */
    for (size_t i = 0; i < set->count; i++)
        if (span_is(name, by_alias ? set->table[i].alias : set->table[i].name))
            return &set->table[i];
    return NULL;
}

static bool set(struct parser *p, const struct gl_option *o, struct span value);

/* "option=value" in the values column: true sets that, false sets that option back. */
static bool set_short(struct parser *p, const struct gl_option *o, bool on)
{
    struct span target = {o->values, 0};
    while (target.at[target.length] != '=')
        target.length++;
    const struct gl_option *real = find(p->set, target, false);
    return set(p, real, span_of(on ? o->values + target.length + 1 : real->deflt));
}

static bool set(struct parser *p, const struct gl_option *o, struct span value)
{
    char expected[96];
    char *field = (char *)p->out + o->offset;
    bool truth;
    int number;
    switch (o->type) {
    case GL_OPTION_BOOL:
    case GL_OPTION_SHORT:
        if (!read_bool(value, &truth))
            return bad_value(p, o, value, "yes or no");
        if (o->type == GL_OPTION_SHORT)
            return set_short(p, o, truth);
        memcpy(field, &truth, sizeof truth);
        return true;
    case GL_OPTION_INT:
        gl_format(expected, sizeof expected, "a whole number in %s", o->values);
        if (!read_int(value, &number) || !in_range(number, o->values))
            return bad_value(p, o, value, expected);
        memcpy(field, &number, sizeof number);
        return true;
    case GL_OPTION_ENUM:
        gl_format(expected, sizeof expected, "one of %s", o->values);
        if (!read_choice(value, o->values, &number))
            return bad_value(p, o, value, expected);
        memcpy(field, &number, sizeof number);
        return true;
    case GL_OPTION_TEXT:
        if (value.length >= GL_OPTION_TEXT_MAX) {
            gl_format(expected, sizeof expected, "at most %d bytes", GL_OPTION_TEXT_MAX - 1);
            return bad_value(p, o, value, expected);
        }
        memcpy(field, value.at, value.length);
        field[value.length] = 0;
        return true;
    }
    return false;
}

/* ---- the text --------------------------------------------------------------------------------- */

static bool is_separator(const struct parser *p, char c)
{
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return true;
    for (const char *s = p->set->separators; *s; s++)
        if (*s == c)
            return true;
    return false;
}

/* One NAME=VALUE at *at; moves *at behind it. */
static bool parse_one(struct parser *p, const char **at)
{
    const char *s = *at;
    char text[QUOTED_MAX + 4];
    struct span name = {s, 0}, value;
    while (s[name.length] && s[name.length] != '=' && !is_separator(p, s[name.length]))
        name.length++;
    s += name.length;
    if (*s != '=') {
        *at = s;
        if (p->by_alias && !find(p->set, name, true))
            return true;
        gl_format(p->error, p->cap, "%s: '%s' has no value; write NAME=VALUE", p->source, quoted(name, text));
        return false;
    }
    s++;
    if (*s == '\'' || *s == '"') {
        char quote = *s++;
        value = (struct span){s, 0};
        while (s[value.length] && s[value.length] != quote)
            value.length++;
        s += value.length;
        if (!*s) {
            *at = s;
            gl_format(p->error, p->cap, "%s: the value of '%s' begins with a quote that never ends",
                      p->source, quoted(name, text));
            return false;
        }
        s++;
    } else {
        value = (struct span){s, 0};
        while (s[value.length] && !is_separator(p, s[value.length]))
            value.length++;
        s += value.length;
    }
    *at = s;
    const struct gl_option *o = find(p->set, name, p->by_alias);
    if (!o)
        return p->by_alias || unknown_name(p, name);
    return set(p, o, value);
}

static bool parse_all(struct parser *p, const char *text)
{
    while (text && *text) {
        if (is_separator(p, *text))
            text++;
        else if (!parse_one(p, &text))
            return false;
    }
    return true;
}

bool gl_options_defaults(const struct gl_option_set *set_, void *out, char *error, size_t cap)
{
    struct parser p = {set_, "default", false, out, error, cap};
    error[0] = 0;
    memset(out, 0, set_->size);
    for (size_t i = 0; i < set_->count; i++)
        if (!set(&p, &set_->table[i], span_of(set_->table[i].deflt)))
            return false;
    return true;
}

bool gl_options_text(const struct gl_option_set *set_, const char *source, bool by_alias, const char *text,
                     void *out, char *error, size_t cap)
{
    struct parser p = {set_, source, by_alias, out, error, cap};
    error[0] = 0;
    return parse_all(&p, text);
}

void gl_options_print(const struct gl_option_set *set_, const char *alias_source,
                      void (*put)(void *ctx, const char *text, size_t n), void *ctx)
{
    char line[256];
    for (size_t i = 0; i < set_->count; i++) {
        const struct gl_option *o = &set_->table[i];
        gl_format(line, sizeof line, "  %s=%s%s%s%s%s%s\n", o->name, o->deflt, *o->alias ? "   [" : "",
                  *o->alias ? alias_source : "", *o->alias ? ": " : "", o->alias, *o->alias ? "]" : "");
        put(ctx, line, text_length(line));
        if (o->type == GL_OPTION_INT || o->type == GL_OPTION_ENUM) {
            gl_format(line, sizeof line, "      %s\n", o->values);
            put(ctx, line, text_length(line));
        }
        gl_format(line, sizeof line, "      %s.\n", o->sentence);
        put(ctx, line, text_length(line));
    }
}
