/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/explain_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/explain_print.h"
#include "trace/writer.h"

#define WORDS(out, ...) ((void)snprintf((out)->text, sizeof(out)->text, __VA_ARGS__))

struct gl_words gl_words_thread(const struct gl_names *names, uint32_t thread)
{
    return gl_words_element(names, (struct gl_element){GL_ELEMENT_THREAD, thread, 0});
}

/* The name of an object: of a kind, or of data. */
static struct gl_words name_of(const struct gl_names *names, enum gl_name_kind kind, uint64_t number)
{
    struct gl_words w;
    const char *name = number < UINT32_MAX ? gl_name_of(names, kind, (uint32_t)number) : NULL;
    if (name)
        WORDS(&w, "%.100s", name);
    else
        WORDS(&w, "%s%" PRIu64, kind == GL_NAME_THREAD ? "T" : "#", number);
    return w;
}

static bool is_data(struct gl_element x)
{
    return x.kind == GL_ELEMENT_TX_BYTE || (x.kind == GL_ELEMENT_ATOMIC && x.part);
}

struct gl_words gl_words_element(const struct gl_names *names, struct gl_element x)
{
    static const struct {
        enum gl_name_kind kind;
        const char *before, *after;
    } of[] = {
        [GL_ELEMENT_NONE] = {GL_NAME_KINDS, "", ""},
        [GL_ELEMENT_THREAD] = {GL_NAME_THREAD, "", ""},
        [GL_ELEMENT_MUTEX] = {GL_NAME_MUTEX, "", ""},
        [GL_ELEMENT_RW_WRITERS] = {GL_NAME_RWLOCK, "", "(w)"},
        [GL_ELEMENT_RW_READERS] = {GL_NAME_RWLOCK, "", "(r)"},
        [GL_ELEMENT_VOLATILE] = {GL_NAME_VOLATILE, "", ""},
        [GL_ELEMENT_ATOMIC] = {GL_NAME_ATOMIC, "", ""},
        [GL_ELEMENT_GENERATION] = {GL_NAME_BARRIER, "", ""},
        [GL_ELEMENT_SEMAPHORE] = {GL_NAME_SEMAPHORE, "", ""},
        [GL_ELEMENT_TX_BYTE] = {GL_NAME_KINDS, "TX(", ")"},
        [GL_ELEMENT_FENCE_F] = {GL_NAME_THREAD, "F(", ")"},
        [GL_ELEMENT_FENCE_A] = {GL_NAME_THREAD, "A(", ")"},
    };
    struct gl_words w, name = {""};
    if (is_data(x))
        gl_data_name(names, x.object, name.text, GL_VARIABLE_NAME_MAX);
    else if (x.kind != GL_ELEMENT_NONE)
        name = name_of(names, of[x.kind].kind, x.object);
    if (x.kind == GL_ELEMENT_GENERATION)
        WORDS(&w, "%.160s(%" PRIu64 ")", name.text, x.part);
    else
        WORDS(&w, "%s%.160s%s", of[x.kind].before, name.text, of[x.kind].after);
    return w;
}

struct gl_words gl_words_op(enum gl_op op, enum gl_order order)
{
    struct gl_words w;
    bool ordered = gl_op_class(op) == GL_CLASS_ATOMIC;
    WORDS(&w, "%s%s%s", gl_op_name(op), ordered ? "." : "", ordered ? gl_order_name(order) : "");
    return w;
}

struct gl_words gl_words_location(const struct gl_names *names, const struct gl_event *e)
{
    struct gl_words w = {""};
    const char *name = e->site ? gl_name_of(names, GL_NAME_LOCATION, e->site) : NULL;
    if (name)
        WORDS(&w, "%s", name);
    return w;
}

static bool collect(void *ctx, const void *bytes, size_t n)
{
    struct gl_words *w = ctx;
    size_t have = strlen(w->text), room = sizeof w->text - 1 - have;
    memcpy(w->text + have, bytes, n < room ? n : room); /* the rest is already zero */
    return true;
}

struct gl_words gl_words_event(const struct gl_env *env, const struct gl_names *names, const struct gl_event *e)
{
    struct gl_words w = {""};
    struct gl_event bare = *e;
    bare.site = 0;
    struct gl_trace_writer *writer = gl_trace_writer_open(env, GL_TRACE_STD, names, collect, &w);
    bool written = writer && gl_trace_write(writer, &bare, 1);
    if (writer)
        written = gl_trace_writer_close(writer) && written;
    w.text[strcspn(w.text, "\n")] = 0;
    if (!written || !*w.text)
        WORDS(&w, "%.200s|%s", gl_words_thread(names, e->thread).text, gl_op_name(e->op));
    return w;
}

static const char *kind_of(const struct gl_access_at *a)
{
    if (a->atomic)
        return a->write ? "atomic write" : "atomic read";
    return a->write ? "write" : "read";
}

struct gl_words gl_words_access(const struct gl_names *names, const struct gl_access_at *a)
{
    struct gl_words w;
    WORDS(&w, "%.200s's %s", gl_words_thread(names, a->thread).text, kind_of(a));
    return w;
}

/* "rule 5, release", or "source, post" where the report has no rule. */
static struct gl_words rule_name(enum gl_rule rule)
{
    struct gl_words w;
    if (gl_rule_number(rule))
        WORDS(&w, "rule %u, %s", gl_rule_number(rule), gl_rule_text(rule));
    else
        WORDS(&w, "%s, %s", gl_rule_family(rule), gl_rule_text(rule));
    return w;
}

static struct gl_words access_step(const struct gl_names *names, const struct gl_explain_step *s, const char *unit)
{
    struct gl_words w, thread = gl_words_thread(names, s->now.thread);
    if (s->kind == GL_STEP_CHECK) {
        WORDS(&w, "  and the %s of %s %" PRIu64 ": %.80s is %s", kind_of(&s->then), unit, s->then.record, thread.text,
              s->from_in ? "in, no race" : "not in, RACE");
        return w;
    }
    const char *outcome = "";
    switch (s->verdict) {
    case GL_VERDICT_NONE:
    case GL_VERDICT_FIRST:    outcome = "the first"; break;
    case GL_VERDICT_ORDERED:  outcome = " is in, no race"; break;
    case GL_VERDICT_RACE:     outcome = " is not in, RACE"; break;
    case GL_VERDICT_HARMLESS:
        outcome = s->now.write || s->then.write ? " is not in, but both are atomic" : " is not in, but both only read";
        break;
    }
    WORDS(&w, "%.40s: %.80s%s%s", rule_name(s->rule).text, s->verdict == GL_VERDICT_FIRST ? "" : thread.text, outcome,
          s->followed ? "" : "; its own set is not followed");
    return w;
}

struct gl_words gl_words_step(const struct gl_names *names, const struct gl_explain_step *s, const char *unit)
{
    struct gl_words w = {""}, from, to;
    switch (s->kind) {
    case GL_STEP_ACCESS:
    case GL_STEP_CHECK: return access_step(names, s, unit);
    case GL_STEP_FRESH: return rule_name(s->rule);
    case GL_STEP_NOTHING:
        if (gl_op_class(s->event->op) == GL_CLASS_MUTEX)
            WORDS(&w, "inside a nest: orders nothing");
        return w;
    case GL_STEP_FLOW: break;
    }
    from = gl_words_element(names, s->from);
    to = gl_words_element(names, s->to);
    struct gl_words rule = rule_name(s->rule);
    if (!s->set)
        WORDS(&w, "%.40s: no access yet", rule.text);
    else if (s->change == GL_CHANGE_ADD)
        WORDS(&w, "%.40s: %.80s is in, add %.80s", rule.text, from.text, to.text);
    else if (s->change == GL_CHANGE_REMOVE)
        WORDS(&w, "%.40s: %.80s is not in, remove %.80s", rule.text, from.text, to.text);
    else if (s->from_in)
        WORDS(&w, "%.40s: %.80s is in, and so is %.80s", rule.text, from.text, to.text);
    else
        WORDS(&w, "%.40s: %.80s is not in", rule.text, from.text);
    return w;
}

/* What taking from an element is called, before it happened and after, and what giving to it is called. */
static const struct {
    const char *to_do, *done; /* %s: the object's name */
    const char *source;
} words[] = {
    [GL_ELEMENT_NONE] = {"%s", "%s", ""},
    [GL_ELEMENT_THREAD] = {"joins %s, or acquires what %s releases,", "joined %s", "fork"},
    [GL_ELEMENT_MUTEX] = {"acquires %s", "acquired %s", "release"},
    [GL_ELEMENT_RW_WRITERS] = {"locks %s, for reading or writing,", "locked %s", "write unlock"},
    [GL_ELEMENT_RW_READERS] = {"locks %s for writing", "locked %s for writing", "read unlock"},
    [GL_ELEMENT_VOLATILE] = {"reads volatile %s", "read volatile %s", "write"},
    [GL_ELEMENT_ATOMIC] = {"reads atomic %s with acquire order", "read atomic %s with acquire order", "release write"},
    [GL_ELEMENT_GENERATION] = {"passes barrier %s in the same round", "left barrier %s", "entry"},
    [GL_ELEMENT_SEMAPHORE] = {"waits on %s", "waited on %s", "post"},
    [GL_ELEMENT_TX_BYTE] = {"commits a transaction with %s", "committed a transaction with %s", "commit"},
    [GL_ELEMENT_FENCE_F] = {"reads with acquire order what %s stores into an atomic", "claimed a fence of %s",
                            "release fence"},
    [GL_ELEMENT_FENCE_A] = {"acquires what %s releases after an acquire fence of its own", "made an acquire fence",
                            "relaxed read"},
};

/* The object's own name: without (w), TX() and the like. */
static struct gl_words bare_name(const struct gl_names *names, struct gl_element x)
{
    if (x.kind == GL_ELEMENT_RW_WRITERS || x.kind == GL_ELEMENT_RW_READERS)
        return name_of(names, GL_NAME_RWLOCK, x.object);
    if (x.kind == GL_ELEMENT_GENERATION)
        return name_of(names, GL_NAME_BARRIER, x.object);
    if (x.kind == GL_ELEMENT_FENCE_F || x.kind == GL_ELEMENT_FENCE_A)
        return gl_words_thread(names, (uint32_t)x.object);
    struct gl_words w = {""};
    if (is_data(x))
        gl_data_name(names, x.object, w.text, GL_VARIABLE_NAME_MAX);
    else
        w = gl_words_element(names, x);
    return w;
}

static struct gl_words fill(const char *format, const char *name)
{
    struct gl_words w = {""};
    size_t n = 0;
    for (const char *f = format; *f && n + 1 < sizeof w.text; f++) {
        if (f[0] == '%' && f[1] == 's') {
            n += (size_t)snprintf(w.text + n, sizeof w.text - n, "%.100s", name);
            f++;
        } else {
            w.text[n++] = *f;
        }
        if (n >= sizeof w.text)
            n = sizeof w.text - 1;
    }
    return w;
}

struct gl_words gl_words_to_do(const struct gl_names *names, struct gl_element x, uint32_t thread)
{
    if (x.kind == GL_ELEMENT_FENCE_A && x.object == thread)
        return fill("makes an acquire fence", "");
    return fill(words[x.kind].to_do, bare_name(names, x).text);
}

struct gl_words gl_words_done(const struct gl_names *names, struct gl_element x)
{
    return fill(words[x.kind].done, bare_name(names, x).text);
}

const char *gl_words_source(struct gl_element x) { return words[x.kind].source; }
