/* SPDX-License-Identifier: Apache-2.0
 *
 * Suppressions, see suppress.h.
 */
#include "report/suppress.h"

#include <string.h>

enum { MAX_INLINED = 16, FIRST_ITEMS = 64 };

static const char *const word[GL_SUPPRESS_TYPES] = {"race", "race_top", "mutex", "thread", "signal", "called_from_lib", "deadlock"};

const char *gl_suppress_word(enum gl_suppress_type type)
{
    return word[type];
}

/* ---- the text ---- */

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The first c in [p, end), or end. */
static const char *first(const char *p, const char *end, char c)
{
    while (p < end && *p != c)
        p++;
    return p;
}

/* Where the line [p, stop) ends without a comment and the blanks before it.  A `#` behind anything but a blank is a part of a name:
 * {closure#0}, {lambda()#1}. */
static const char *without_comment(const char *p, const char *stop)
{
    for (const char *c = p; c < stop; c++)
        if (*c == '#' && (c == p || is_blank(c[-1])))
            stop = c;
    while (stop > p && is_blank(stop[-1]))
        stop--;
    return stop;
}

/* Nothing but anchors, which hold nothing. */
static bool is_empty(const char *p, const char *end)
{
    p += p < end && *p == '^';
    return p == end || (p + 1 == end && *p == '$');
}

/* The type named by [p, p+n); GL_SUPPRESS_TYPES: none. */
static enum gl_suppress_type type_of_word(const char *p, size_t n)
{
    for (unsigned i = 0; i < GL_SUPPRESS_TYPES; i++) {
        size_t k = 0;
        while (k < n && word[i][k] && word[i][k] == p[k])
            k++;
        if (k == n && !word[i][k])
            return i;
    }
    return GL_SUPPRESS_TYPES;
}

static bool add(struct gl_suppressions *s, struct gl_suppression item)
{
    if (s->count == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : FIRST_ITEMS;
        struct gl_suppression *bigger = s->env->map(s->env->ctx, cap * sizeof *bigger);
        if (!bigger)
            return false;
        if (s->item) {
            memcpy(bigger, s->item, s->count * sizeof *bigger);
            s->env->unmap(s->env->ctx, s->item, s->cap * sizeof *bigger);
        }
        s->item = bigger;
        s->cap = cap;
    }
    s->item[s->count++] = item;
    s->of_type[item.type]++;
    return true;
}

bool gl_suppress_parse(struct gl_suppressions *s, const char *text, size_t n, struct gl_suppress_error *error)
{
    const char *end = text + n, *next;
    size_t line = 0;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) /* what some editors put in front of UTF-8 */
        text += 3;
    for (const char *p = text; p < end; p = next) {
        const char *stop = first(p, end, '\n');
        next = stop < end ? stop + 1 : end;
        line++;
        while (p < stop && is_blank(*p))
            p++;
        stop = without_comment(p, stop);
        if (p == stop)
            continue;
        size_t length = (size_t)(stop - p);
        const char *colon = first(p, stop, ':');
        enum gl_suppress_type type = type_of_word(p, (size_t)(colon - p));
        *error = (struct gl_suppress_error){.line = line, .word = p, .length = length < 40 ? length : 40};
        if (first(p, stop, 0) < stop) {
            error->what = GL_SUPPRESS_BAD_BYTE;
            return false;
        }
        if (colon == stop || type == GL_SUPPRESS_TYPES) {
            error->what = colon == stop ? GL_SUPPRESS_NO_COLON : GL_SUPPRESS_BAD_TYPE;
            error->length = colon == stop ? error->length : (size_t)(colon - p) < 40 ? (size_t)(colon - p) : 40;
            return false;
        }
        p = colon + 1;
        while (p < stop && is_blank(*p))
            p++;
        if (is_empty(p, stop)) {
            error->what = GL_SUPPRESS_NO_PATTERN;
            return false;
        }
        if (!add(s, (struct gl_suppression){.type = type, .pattern = p, .length = (size_t)(stop - p)})) {
            error->what = GL_SUPPRESS_NO_MEMORY;
            return false;
        }
    }
    return true;
}

void gl_suppress_fini(struct gl_suppressions *s)
{
    if (s->item)
        s->env->unmap(s->env->ctx, s->item, s->cap * sizeof *s->item);
    *s = (struct gl_suppressions){.env = s->env};
}

/* ---- matching ---- */

/* Where the n bytes at p first stand in the terminated text; NULL: nowhere. */
static const char *find(const char *text, const char *p, size_t n)
{
    for (;; text++) {
        size_t k = 0;
        while (k < n && text[k] == p[k]) /* ends at the terminator: patterns hold no NUL */
            k++;
        if (k == n)
            return text;
        if (!*text)
            return NULL;
    }
}

/* Piece by piece between the `*`s, each at its first place after the one before.  ThreadSanitizer's rules, but for `$` in front of
 * anything: there it would end the pattern, and nothing with a $ in its name could be named (clang's lambdas are main::$_0). */
bool gl_suppress_pattern(const char *p, size_t n, const char *name)
{
    if (!name || !*name)
        return false;
    const char *end = p + n;
    bool start = n && *p == '^', star = false;
    for (p += start; p < end;) {
        if (*p == '*') {
            p++;
            start = false;
            star = true;
            continue;
        }
        if (*p == '$' && p + 1 == end)
            return !*name || star;
        size_t piece = 0;
        while (p + piece < end && p[piece] != '*' && !(p[piece] == '$' && p + piece + 1 == end))
            piece++;
        const char *at = find(name, p, piece);
        if (!at || (start && at != name))
            return false;
        name = at + piece;
        p += piece;
        start = star = false;
    }
    return true;
}

struct gl_suppression *gl_suppress_find(const struct gl_suppressions *s, enum gl_suppress_type type, const char *name)
{
    for (size_t i = 0; s->of_type[type] && i < s->count; i++)
        if (s->item[i].type == type && gl_suppress_pattern(s->item[i].pattern, s->item[i].length, name))
            return &s->item[i];
    return NULL;
}

/* ---- reports ---- */

struct search {
    const struct gl_suppressions *s;
    enum gl_suppress_type type;
    int (*symbolize)(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max);
    void *ctx;
};

static struct gl_suppression *of_frame(const struct search *q, enum gl_suppress_type type, const struct gl_report_frame *f)
{
    struct gl_suppression *found = gl_suppress_find(q->s, type, f->function);
    if (!found)
        found = gl_suppress_find(q->s, type, f->file);
    return found ? found : gl_suppress_find(q->s, type, f->module);
}

static struct gl_suppression *of_frames(const struct search *q, const struct gl_report_frame *f, size_t n, bool innermost)
{
    struct gl_suppression *found = NULL;
    for (size_t i = 0; i < n && !found; i++) {
        found = of_frame(q, q->type, &f[i]);
        if (!found && q->type == GL_SUPPRESS_RACE && innermost && i == 0)
            found = of_frame(q, GL_SUPPRESS_RACE_TOP, f);
    }
    return found;
}

static struct gl_suppression *of_stack(const struct search *q, const struct gl_report_stack *stack)
{
    if (stack->frames)
        return of_frames(q, stack->frame, stack->frames, true);
    struct gl_suppression *found = NULL;
    if (stack->called && q->symbolize) {
        struct gl_report_frame inlined[MAX_INLINED];
        int n = q->symbolize(q->ctx, stack->called, inlined, MAX_INLINED);
        found = n > 0 ? of_frames(q, inlined, (size_t)n, true) : NULL;
    }
    for (size_t i = 0; i < stack->pcs && !found && q->symbolize; i++) {
        struct gl_report_frame inlined[MAX_INLINED];
        int n = q->symbolize(q->ctx, stack->pc[i], inlined, MAX_INLINED);
        found = n > 0 ? of_frames(q, inlined, (size_t)n, i == 0) : NULL;
    }
    return found;
}

static enum gl_suppress_type type_of(enum gl_report_type type)
{
    static const enum gl_suppress_type by[] = {
#define TYPE(name, title, word, suppressed) GL_SUPPRESS_##suppressed,
#include "report/types.def"
#undef TYPE
    };
    return by[type];
}

/* The stacks that ThreadSanitizer looks at: of accesses, of what went wrong, of a leaked thread's creation; not where memory
 * came from. */
struct gl_suppression *gl_suppress_report(const struct gl_suppressions *s, const struct gl_report *r,
                                          int (*symbolize)(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max),
                                          void *ctx)
{
    struct search q = {s, type_of(r->type), symbolize, ctx};
    if (!s->of_type[q.type] && !(q.type == GL_SUPPRESS_RACE && s->of_type[GL_SUPPRESS_RACE_TOP]))
        return NULL;
    struct gl_suppression *found = NULL;
    for (size_t i = 0; gl_report_is_race(r->type) && i < 2 && !found; i++)
        found = of_stack(&q, &r->access[i].stack);
    for (size_t i = 0; i < r->stacks && !found; i++)
        found = of_stack(&q, &r->stack[i]);
    for (size_t i = 0; i < r->edges && !found; i++) {
        found = of_stack(&q, &r->edge[i].acquired_at);
        if (!found)
            found = of_stack(&q, &r->edge[i].held_since);
    }
    for (size_t i = 0; r->type == GL_REPORT_THREAD_LEAK && i < r->threads && !found; i++)
        found = of_stack(&q, &r->thread[i].created_at);
    if (!found && gl_report_is_race(r->type) && r->location.place == GL_PLACE_GLOBAL) {
        found = gl_suppress_find(s, q.type, r->location.name);
        if (!found)
            found = gl_suppress_find(s, q.type, r->location.module);
    }
    return found;
}
