/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a managed race.  Frames look as the JVM prints them, so that consoles make links of them.
 */
#include "report/managed.h"

#include <stdbool.h>

#include "report/fmt.h"

/* ---- names ---- */

/* Half of a pair of surrogates, in three bytes of their own; `high`: 0xA0 the first one, 0xB0 the second. */
static bool is_surrogate(const unsigned char *s, unsigned high)
{
    return s[0] == 0xED && (s[1] & 0xF0) == high && (s[2] & 0xC0) == 0x80;
}

/* A name as the JVM has it becomes UTF-8: there, what is above 0xFFFF is two surrogates, NUL is C0 80, and a name that was too long
 * may end within a character. */
static void name(struct gl_fmt *o, const char *text, bool quoted)
{
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned n = gl_fmt_utf8(s);
        if (n == 1 && quoted && (*s == '"' || *s == '\\')) {
            gl_fmt_char(o, '\\');
            gl_fmt_char(o, (char)*s);
        } else if (n == 1 && quoted && *s < 0x20) {
            gl_fmt_text(o, "\\u");
            gl_fmt_number(o, *s, 16, 4);
        } else if (n > 0) {
            for (unsigned i = 0; i < n; i++)
                gl_fmt_char(o, (char)s[i]);
        } else if (is_surrogate(s, 0xA0) && is_surrogate(s + 3, 0xB0)) {
            uint32_t code = 0x10000u + ((s[1] & 0xFu) << 16 | (s[2] & 0x3Fu) << 10 | (s[4] & 0xFu) << 6 | (s[5] & 0x3Fu));
            gl_fmt_char(o, (char)(0xF0 | code >> 18));
            gl_fmt_char(o, (char)(0x80 | (code >> 12 & 0x3F)));
            gl_fmt_char(o, (char)(0x80 | (code >> 6 & 0x3F)));
            gl_fmt_char(o, (char)(0x80 | (code & 0x3F)));
            n = 6;
        } else {
            gl_fmt_text(o, "\xEF\xBF\xBD"); /* U+FFFD */
            n = is_surrogate(s, 0xA0) || is_surrogate(s, 0xB0) ? 3 : s[0] == 0xC0 && s[1] == 0x80 ? 2 : 1;
        }
        s += n;
    }
}

static void plain(struct gl_fmt *o, const char *text) { name(o, text, false); }

/* ---- text ---- */

static void place(struct gl_fmt *o, const struct gl_managed_frame *f)
{
    plain(o, f->class_name);
    gl_fmt_char(o, '.');
    plain(o, f->method);
    gl_fmt_char(o, '(');
    plain(o, f->file ? f->file : "Unknown Source");
    if (f->file && f->line) {
        gl_fmt_char(o, ':');
        gl_fmt_dec(o, f->line);
    }
    gl_fmt_char(o, ')');
}

static void thread(struct gl_fmt *o, const char *known_as, uint64_t id)
{
    if (!known_as && !id) {
        gl_fmt_text(o, "an unknown thread");
        return;
    }
    gl_fmt_text(o, "thread \"");
    plain(o, known_as ? known_as : "");
    gl_fmt_text(o, "\"");
    if (id) {
        gl_fmt_text(o, " #");
        gl_fmt_dec(o, id);
    }
}

static void access(struct gl_fmt *o, const struct gl_managed_report *r, const struct gl_managed_access *a, bool first)
{
    gl_fmt_text(o, first ? (a->write ? "  Write of " : "  Read of ") : (a->write ? "  Previous write of " : "  Previous read of "));
    plain(o, r->variable);
    gl_fmt_text(o, " by ");
    thread(o, a->thread, a->thread_id);
    gl_fmt_text(o, ":\n");
    for (size_t i = 0; i < a->frames; i++) {
        gl_fmt_text(o, "    at ");
        place(o, &a->frame[i]);
        gl_fmt_char(o, '\n');
    }
    if (!a->whole)
        gl_fmt_text(o, "    (callers are not kept; history=stack keeps them)\n");
    gl_fmt_char(o, '\n');
}

void gl_managed_text(const struct gl_managed_report *r, gl_managed_write *write, void *ctx)
{
    struct gl_fmt o = {.write = write, .ctx = ctx};
    gl_fmt_text(&o, "==================\nWARNING: Goldilocks: data race (pid=");
    gl_fmt_dec(&o, r->pid);
    gl_fmt_text(&o, ")\n");
    access(&o, r, &r->access[0], true);
    access(&o, r, &r->access[1], false);
    if (r->object) {
        gl_fmt_text(&o, "  The object is ");
        plain(&o, r->object);
        if (r->allocated) {
            gl_fmt_text(&o, ",\n  allocated by ");
            thread(&o, r->allocated->thread, r->allocated->thread_id);
            gl_fmt_text(&o, " at ");
            place(&o, &r->allocated->at);
        }
        gl_fmt_text(&o, ".\n\n");
    }
    if (r->why) {
        gl_fmt_text(&o, "  Nothing orders the two accesses: ");
        plain(&o, r->why);
        gl_fmt_text(&o, "\n\n");
    }
    if (r->occurrences > 1) {
        gl_fmt_text(&o, "  This pair of places has raced ");
        gl_fmt_dec(&o, r->occurrences);
        gl_fmt_text(&o, " times.\n\n");
    }
    gl_fmt_text(&o, "SUMMARY: Goldilocks: data race ");
    place(&o, &r->access[0].frame[0]);
    gl_fmt_text(&o, "\n==================\n");
    gl_fmt_flush(&o);
}

void gl_managed_line(const struct gl_managed_report *r, gl_managed_write *write, void *ctx)
{
    struct gl_fmt o = {.write = write, .ctx = ctx};
    gl_fmt_text(&o, "Goldilocks: data race on ");
    plain(&o, r->variable);
    for (int i = 0; i < 2; i++) {
        const struct gl_managed_access *a = &r->access[i];
        gl_fmt_text(&o, i == 0 ? ": " : ", after ");
        gl_fmt_text(&o, a->write ? "write by " : "read by ");
        thread(&o, a->thread, a->thread_id);
        gl_fmt_text(&o, " at ");
        place(&o, &a->frame[0]);
    }
    gl_fmt_char(&o, '\n');
    gl_fmt_flush(&o);
}

/* ---- JSON ---- */

static void string(struct gl_fmt *o, const char *s)
{
    gl_fmt_char(o, '"');
    name(o, s, true);
    gl_fmt_char(o, '"');
}

static void member(struct gl_fmt *o, const char *key, const char *value)
{
    string(o, key);
    gl_fmt_char(o, ':');
    if (value)
        string(o, value);
    else
        gl_fmt_text(o, "null");
}

/* Members that a native report has and that nobody knows here are null. */
static void json_frame(struct gl_fmt *o, const struct gl_managed_frame *f)
{
    gl_fmt_text(o, "{\"function\":\"");
    name(o, f->class_name, true);
    gl_fmt_char(o, '.');
    name(o, f->method, true);
    gl_fmt_text(o, "\",");
    member(o, "file", f->file);
    gl_fmt_text(o, ",\"line\":");
    gl_fmt_dec(o, f->line);
    gl_fmt_text(o, ",\"column\":0,\"module\":null,\"offset\":null,");
    member(o, "class", f->class_name);
    gl_fmt_char(o, ',');
    member(o, "method", f->method);
    gl_fmt_char(o, '}');
}

static void json_thread(struct gl_fmt *o, const char *known_as, uint64_t number)
{
    gl_fmt_text(o, "\"thread\":{\"id\":");
    if (number)
        gl_fmt_dec(o, number);
    else
        gl_fmt_text(o, "null");
    gl_fmt_char(o, ',');
    member(o, "name", known_as);
    gl_fmt_char(o, '}');
}

/* The names of elements end in their index, those of fields do not. */
static bool is_element(const char *variable)
{
    char last = 0;
    for (; *variable; variable++)
        last = *variable;
    return last == ']';
}

static void json_location(struct gl_fmt *o, const struct gl_managed_report *r)
{
    gl_fmt_text(o, ",\"location\":{");
    member(o, "kind", !r->object ? "static field" : is_element(r->variable) ? "array element" : "field");
    gl_fmt_char(o, ',');
    member(o, "name", r->variable);
    gl_fmt_char(o, ',');
    member(o, "object", r->object);
    if (r->tells_allocation) {
        const struct gl_managed_allocation *a = r->allocated;
        gl_fmt_char(o, ',');
        json_thread(o, a ? a->thread : NULL, a ? a->number : 0);
        gl_fmt_text(o, ",\"allocated_at\":[");
        if (a)
            json_frame(o, &a->at);
        gl_fmt_char(o, ']');
    }
    gl_fmt_char(o, '}');
}

static void json_access(struct gl_fmt *o, const struct gl_managed_access *a)
{
    gl_fmt_char(o, '{');
    member(o, "kind", a->write ? "write" : "read");
    gl_fmt_text(o, ",\"size\":null,\"address\":null,");
    json_thread(o, a->thread, a->number);
    gl_fmt_text(o, ",\"stack\":[");
    for (size_t i = 0; i < a->frames; i++) {
        if (i)
            gl_fmt_char(o, ',');
        json_frame(o, &a->frame[i]);
    }
    gl_fmt_text(o, a->whole ? "],\"stack_is_whole\":true,\"mutexes\":null}" : "],\"stack_is_whole\":false,\"mutexes\":null}");
}

void gl_managed_json(const struct gl_managed_report *r, gl_managed_write *write, void *ctx)
{
    struct gl_fmt o = {.write = write, .ctx = ctx};
    gl_fmt_char(&o, '{');
    member(&o, "type", "data-race");
    gl_fmt_char(&o, ',');
    member(&o, "title", "data race");
    gl_fmt_text(&o, ",\"pid\":");
    gl_fmt_dec(&o, r->pid);
    gl_fmt_char(&o, ',');
    member(&o, "variable", r->variable);
    gl_fmt_char(&o, ',');
    member(&o, "object", r->object);
    gl_fmt_text(&o, ",\"accesses\":[");
    json_access(&o, &r->access[0]);
    gl_fmt_char(&o, ',');
    json_access(&o, &r->access[1]);
    gl_fmt_char(&o, ']');
    json_location(&o, r);
    gl_fmt_char(&o, ',');
    member(&o, "why", r->why);
    gl_fmt_text(&o, ",\"occurrences\":");
    gl_fmt_dec(&o, r->occurrences);
    gl_fmt_text(&o, "}\n");
    gl_fmt_flush(&o);
}
