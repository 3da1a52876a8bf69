/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports as JSON.  Addresses and offsets are strings of hexadecimal digits, as tools take them (addr2line, gdb).
 */
#include "report/json.h"

#include "report/fmt.h"

struct printer {
    struct gl_fmt o;
    const struct gl_text *t;
    bool first; /* nothing was written yet in the open object or array */
};

/* ---- values ---- */

static void string(struct printer *p, const char *text)
{
    struct gl_fmt *o = &p->o;
    gl_fmt_char(o, '"');
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        unsigned n = gl_fmt_utf8(s);
        if (n == 0) {
            gl_fmt_text(o, "\\ufffd");
            n = 1;
        } else if (*s == '"' || *s == '\\') {
            gl_fmt_char(o, '\\');
            gl_fmt_char(o, (char)*s);
        } else if (*s < 0x20) {
            gl_fmt_text(o, "\\u");
            gl_fmt_number(o, *s, 16, 4);
        } else {
            for (unsigned i = 0; i < n; i++)
                gl_fmt_char(o, (char)s[i]);
        }
        s += n;
    }
    gl_fmt_char(o, '"');
}

static void comma(struct printer *p)
{
    if (!p->first)
        gl_fmt_char(&p->o, ',');
    p->first = false;
}

static void open(struct printer *p, char bracket)
{
    gl_fmt_char(&p->o, bracket);
    p->first = true;
}

static void close(struct printer *p, char bracket)
{
    gl_fmt_char(&p->o, bracket);
    p->first = false;
}

static void name(struct printer *p, const char *n)
{
    comma(p);
    string(p, n);
    gl_fmt_char(&p->o, ':');
}

static void text(struct printer *p, const char *n, const char *value)
{
    name(p, n);
    if (value)
        string(p, value);
    else
        gl_fmt_text(&p->o, "null");
}

static void number(struct printer *p, const char *n, uint64_t value)
{
    name(p, n);
    gl_fmt_dec(&p->o, value);
}

static void truth(struct printer *p, const char *n, bool value)
{
    name(p, n);
    gl_fmt_text(&p->o, value ? "true" : "false");
}

static void address(struct printer *p, const char *n, uintptr_t value)
{
    name(p, n);
    gl_fmt_char(&p->o, '"');
    gl_fmt_hex(&p->o, value);
    gl_fmt_char(&p->o, '"');
}

/* ---- the parts ---- */

static void frame(struct printer *p, const struct gl_report_frame *f)
{
    comma(p);
    open(p, '{');
    text(p, "function", f->function);
    text(p, "file", f->file ? gl_text_strip(f->file, p->t->strip_prefix) : NULL);
    number(p, "line", f->line);
    number(p, "column", f->column);
    text(p, "module", f->module);
    address(p, "offset", f->module ? f->offset : f->pc);
    close(p, '}');
}

static void frames(struct printer *p, const struct gl_report_stack *s)
{
    open(p, '[');
    for (size_t i = 0; i < s->frames; i++)
        frame(p, &s->frame[i]);
    for (size_t i = 0; s->frames == 0 && i < s->pcs; i++) {
        struct gl_report_frame inlined[GL_TEXT_INLINED];
        int n = gl_text_frames(p->t, s->pc[i], inlined);
        for (int k = 0; k < n; k++)
            frame(p, &inlined[k]);
    }
    close(p, ']');
}

static void stack(struct printer *p, const char *n, const struct gl_report_stack *s)
{
    name(p, n);
    frames(p, s);
}

static void thread(struct printer *p, const struct gl_report *r, uint32_t id)
{
    const struct gl_report_thread *t = NULL;
    for (size_t i = 0; i < r->threads && !t; i++)
        if (r->thread[i].number == id)
            t = &r->thread[i];
    open(p, '{');
    if (id == GL_REPORT_NO_THREAD) {
        name(p, "id");
        gl_fmt_text(&p->o, "null");
    } else {
        number(p, "id", id);
    }
    text(p, "name", t && t->name && t->name[0] ? t->name : id == 0 ? "main" : NULL);
    if (t) {
        number(p, "os_id", t->os_tid);
        truth(p, "running", t->running);
        name(p, "parent");
        if (t->parent == GL_REPORT_NO_THREAD)
            gl_fmt_text(&p->o, "null");
        else
            gl_fmt_dec(&p->o, t->parent);
        stack(p, "created_at", &t->created_at);
    }
    close(p, '}');
}

/* mode: "read", "write"; NULL: it is not about a hold. */
static void mutex(struct printer *p, const struct gl_report *r, uint32_t id, const char *mode)
{
    open(p, '{');
    number(p, "id", id);
    if (mode)
        text(p, "mode", mode);
    for (size_t i = 0; i < r->mutexes; i++)
        if (r->mutex[i].number == id) {
            address(p, "address", r->mutex[i].address);
            truth(p, "destroyed", r->mutex[i].destroyed);
            stack(p, "created_at", &r->mutex[i].created_at);
            break;
        }
    close(p, '}');
}

static void access(struct printer *p, const struct gl_report *r, const struct gl_report_access *a)
{
    static const char *const kind[] = {"read", "write", "atomic read", "atomic write", "free"};
    comma(p);
    open(p, '{');
    text(p, "kind", kind[a->kind]);
    number(p, "size", a->size);
    address(p, "address", a->address);
    name(p, "thread");
    thread(p, r, a->thread);
    struct gl_report_frame called;
    const char *function = gl_text_called(p->t, &a->stack, &called);
    if (function)
        text(p, "called", function);
    stack(p, "stack", &a->stack);
    name(p, "mutexes");
    open(p, '[');
    for (size_t i = 0; i < a->n_held; i++) {
        comma(p);
        mutex(p, r, a->held[i].mutex, a->held[i].write ? "write" : "read");
    }
    close(p, ']');
    close(p, '}');
}

static void location(struct printer *p, const struct gl_report *r)
{
    static const char *const kind[] = {NULL, "global", "heap", "stack", "tls", "fd"};
    const struct gl_report_location *l = &r->location;
    name(p, "location");
    if (l->place == GL_PLACE_UNKNOWN) {
        gl_fmt_text(&p->o, "null");
        return;
    }
    open(p, '{');
    text(p, "kind", kind[l->place]);
    if (l->place == GL_PLACE_GLOBAL)
        text(p, "name", l->name);
    if (l->place == GL_PLACE_GLOBAL || l->place == GL_PLACE_HEAP) {
        address(p, "address", l->start);
        number(p, "size", l->size);
    }
    if (l->place == GL_PLACE_GLOBAL) {
        text(p, "module", l->module);
        address(p, "offset", l->offset);
    } else {
        name(p, "thread");
        thread(p, r, l->thread);
    }
    if (l->place == GL_PLACE_FD) {
        number(p, "fd", (unsigned)l->fd);
        truth(p, "closed", l->closed);
        stack(p, "at", &l->allocated_at);
    }
    if (l->place == GL_PLACE_HEAP)
        stack(p, "allocated_at", &l->allocated_at);
    close(p, '}');
}

static void edge(struct printer *p, const struct gl_report *r, const struct gl_report_edge *e)
{
    comma(p);
    open(p, '{');
    name(p, "held");
    mutex(p, r, e->from, NULL);
    name(p, "acquired");
    mutex(p, r, e->to, NULL);
    name(p, "thread");
    thread(p, r, e->thread);
    stack(p, "stack", &e->acquired_at);
    stack(p, "held_since", &e->held_since);
    close(p, '}');
}

static void race(struct printer *p, const struct gl_report *r)
{
    name(p, "accesses");
    open(p, '[');
    access(p, r, &r->access[0]);
    access(p, r, &r->access[1]);
    close(p, ']');
    location(p, r);
    if (r->slept_at.frames || r->slept_at.pcs)
        stack(p, "slept_at", &r->slept_at);
    text(p, "why", r->why);
    number(p, "occurrences", r->occurrences);
}

static void fault(struct printer *p, const struct gl_report *r)
{
    static const char *const access[] = {NULL, "read", "write", "execute"};
    const struct gl_report_fault *f = &r->fault;
    number(p, "signal", r->signal);
    name(p, "sender");
    if (f->sent)
        gl_fmt_dec(&p->o, f->sender);
    else
        gl_fmt_text(&p->o, "null");
    if (f->addressed)
        address(p, "address", f->address);
    else
        text(p, "address", NULL);
    text(p, "access", f->addressed ? access[f->access] : NULL);
    name(p, "thread");
    thread(p, r, f->thread);
    truth(p, "stack_full", f->stack_full);
}

static void mistake(struct printer *p, const struct gl_report *r)
{
    name(p, "stacks");
    open(p, '[');
    for (size_t i = 0; i < r->stacks; i++) {
        comma(p);
        frames(p, &r->stack[i]);
    }
    close(p, ']');
    name(p, "mutexes");
    open(p, '[');
    for (size_t i = 0; i < r->mutexes; i++) {
        comma(p);
        mutex(p, r, r->mutex[i].number, NULL);
    }
    close(p, ']');
    name(p, "threads");
    open(p, '[');
    for (size_t i = 0; i < r->threads; i++) {
        comma(p);
        thread(p, r, r->thread[i].number);
    }
    close(p, ']');
    location(p, r);
    if (r->type == GL_REPORT_ERRNO_IN_SIGNAL)
        number(p, "signal", r->signal);
    if (r->type == GL_REPORT_FATAL_SIGNAL)
        fault(p, r);
    if (r->type == GL_REPORT_THREAD_LEAK)
        number(p, "similar", r->similar);
}

void gl_json_report(const struct gl_report *r, const struct gl_text *t)
{
    struct printer p = {.o = {.write = t->write, .ctx = t->write_ctx}, .t = t};
    open(&p, '{');
    text(&p, "type", gl_report_word(r->type));
    text(&p, "title", gl_report_title(r->type));
    number(&p, "pid", r->pid);
    if (gl_report_is_race(r->type)) {
        race(&p, r);
    } else if (r->type == GL_REPORT_DEADLOCK) {
        name(&p, "cycle");
        open(&p, '[');
        for (size_t i = 0; i < r->edges; i++)
            edge(&p, r, &r->edge[i]);
        close(&p, ']');
    } else {
        mistake(&p, r);
    }
    close(&p, '}');
    gl_fmt_char(&p.o, '\n');
    gl_fmt_flush(&p.o);
}
