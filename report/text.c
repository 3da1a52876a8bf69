/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a report.  The sections come in ThreadSanitizer's order: where it happened (a cycle of locks, stacks, or the
 * two accesses), what the address is, mutexes, threads, summary; each ends with an empty line.
 */
#include "report/text.h"

#include "report/fmt.h"

enum { MAX_INLINED = GL_TEXT_INLINED, ZERO_PAGE = 4096 };

struct printer {
    struct gl_fmt o;
    const struct gl_text *t;
};

enum colour { DEFAULT, WARNING, ACCESS, PLACE, CREATION, REASON };

static void colour(struct printer *p, enum colour c)
{
    static const char *const code[] = {"\033[0m",       "\033[1m\033[31m", "\033[1m\033[34m",
                                       "\033[1m\033[32m", "\033[1m\033[36m", "\033[1m\033[35m"};
    if (p->t->colour)
        gl_fmt_text(&p->o, code[c]);
}

static bool tsan(const struct printer *p)
{
    return p->t->style == GL_STYLE_TSAN;
}

static void tool(struct printer *p)
{
    gl_fmt_text(&p->o, tsan(p) ? "ThreadSanitizer" : "Goldilocks");
}

static void thread_name(struct printer *p, uint32_t number)
{
    if (number == 0) {
        gl_fmt_text(&p->o, "main thread");
    } else if (number == GL_REPORT_NO_THREAD) {
        gl_fmt_text(&p->o, "an unknown thread");
    } else {
        gl_fmt_text(&p->o, "thread T");
        gl_fmt_dec(&p->o, number);
    }
}

/* ---- stacks ----------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *base = path;
    for (; *path; path++)
        if (*path == '/')
            base = path + 1;
    return base;
}

/* What follows the first `prefix` in `path` (and a "./" after it), as ThreadSanitizer strips. */
const char *gl_text_strip(const char *path, const char *prefix)
{
    if (!prefix || !prefix[0])
        return path;
    for (const char *at = path; *at; at++) {
        size_t n = 0;
        while (prefix[n] && at[n] == prefix[n])
            n++;
        if (!prefix[n]) {
            at += n;
            return at[0] == '.' && at[1] == '/' ? at + 2 : at;
        }
    }
    return path;
}

static void file_and_line(struct printer *p, const struct gl_report_frame *f)
{
    gl_fmt_text(&p->o, gl_text_strip(f->file, p->t->strip_prefix));
    if (f->line) {
        gl_fmt_char(&p->o, ':');
        gl_fmt_dec(&p->o, f->line);
        if (f->column) {
            gl_fmt_char(&p->o, ':');
            gl_fmt_dec(&p->o, f->column);
        }
    }
}

static void module_and_offset(struct printer *p, const char *module, uintptr_t offset)
{
    gl_fmt_char(&p->o, '(');
    gl_fmt_text(&p->o, module);
    gl_fmt_char(&p->o, '+');
    gl_fmt_hex(&p->o, offset);
    gl_fmt_char(&p->o, ')');
}

static void frame(struct printer *p, size_t number, const struct gl_report_frame *f)
{
    gl_fmt_text(&p->o, "    #");
    gl_fmt_dec(&p->o, number);
    gl_fmt_char(&p->o, ' ');
    gl_fmt_text(&p->o, f->function ? f->function : "<null>");
    gl_fmt_char(&p->o, ' ');
    if (f->file)
        file_and_line(p, f);
    else
        gl_fmt_text(&p->o, "<null>");
    gl_fmt_char(&p->o, ' ');
    if (f->module) {
        module_and_offset(p, base_name(f->module), f->offset);
    } else {
        gl_fmt_char(&p->o, '(');
        gl_fmt_address(&p->o, f->pc);
        gl_fmt_char(&p->o, ')');
    }
    gl_fmt_char(&p->o, '\n');
}

int gl_text_frames(const struct gl_text *t, uintptr_t pc, struct gl_report_frame *out)
{
    int n = t->symbolize ? t->symbolize(t->symbolize_ctx, pc, out, MAX_INLINED) : 0;
    if (n > 0)
        return n;
    *out = (struct gl_report_frame){.pc = pc};
    return 1;
}

const char *gl_text_called(const struct gl_text *t, const struct gl_report_stack *s, struct gl_report_frame *out)
{
    struct gl_report_frame inlined[MAX_INLINED];
    if (!s->called)
        return NULL;
    *out = inlined[gl_text_frames(t, s->called, inlined) - 1];
    return out->function;
}

static void stack(struct printer *p, const struct gl_report_stack *s)
{
    size_t number = 0;
    struct gl_report_frame called;
    if (tsan(p) && gl_text_called(p->t, s, &called))
        frame(p, number++, &called);
    for (size_t i = 0; i < s->frames; i++)
        frame(p, number++, &s->frame[i]);
    for (size_t i = 0; s->frames == 0 && i < s->pcs; i++) {
        struct gl_report_frame inlined[MAX_INLINED];
        int n = gl_text_frames(p->t, s->pc[i], inlined);
        for (int k = 0; k < n; k++)
            frame(p, number++, &inlined[k]);
    }
    if (number == 0)
        gl_fmt_text(&p->o, "    [failed to restore the stack]\n");
    gl_fmt_char(&p->o, '\n');
}

/* ---- sections --------------------------------------------------------------------------------- */

static const char *access_name(const struct printer *p, enum gl_report_kind kind, bool first)
{
    switch (kind) {
    case GL_REPORT_READ:
        return first ? "Read" : "Previous read";
    case GL_REPORT_ATOMIC_READ:
        return first ? "Atomic read" : "Previous atomic read";
    case GL_REPORT_ATOMIC_WRITE:
        return first ? "Atomic write" : "Previous atomic write";
    case GL_REPORT_FREE:
        if (!tsan(p))
            return first ? "Free" : "Previous free";
        break;
    case GL_REPORT_WRITE:
        break;
    }
    return first ? "Write" : "Previous write";
}

static void access(struct printer *p, const struct gl_report_access *a, bool first)
{
    colour(p, ACCESS);
    gl_fmt_text(&p->o, "  ");
    gl_fmt_text(&p->o, access_name(p, a->kind, first));
    gl_fmt_text(&p->o, " of size ");
    gl_fmt_dec(&p->o, a->size);
    gl_fmt_text(&p->o, " at ");
    gl_fmt_address(&p->o, a->address);
    gl_fmt_text(&p->o, " by ");
    thread_name(p, a->thread);
    struct gl_report_frame called;
    if (!tsan(p) && gl_text_called(p->t, &a->stack, &called)) {
        gl_fmt_text(&p->o, " in ");
        gl_fmt_text(&p->o, called.function);
    }
    for (size_t i = 0; i < a->n_held; i++) {
        gl_fmt_text(&p->o, i == 0 ? " (mutexes: " : ", ");
        gl_fmt_text(&p->o, a->held[i].write ? "write M" : "read M");
        gl_fmt_dec(&p->o, a->held[i].mutex);
    }
    gl_fmt_text(&p->o, a->n_held ? "):" : ":");
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
    stack(p, &a->stack);
}

static bool has_stack(const struct gl_report_location *l)
{
    return l->place == GL_PLACE_HEAP || (l->place == GL_PLACE_FD && l->thread != GL_REPORT_NO_THREAD);
}

static void location(struct printer *p, const struct gl_report_location *l)
{
    if (l->place == GL_PLACE_UNKNOWN)
        return;
    colour(p, PLACE);
    gl_fmt_text(&p->o, "  Location is ");
    switch (l->place) {
    case GL_PLACE_GLOBAL:
        gl_fmt_text(&p->o, "global '");
        gl_fmt_text(&p->o, l->name ? l->name : "<null>");
        gl_fmt_char(&p->o, '\'');
        if (l->size) {
            gl_fmt_text(&p->o, " of size ");
            gl_fmt_dec(&p->o, l->size);
        }
        gl_fmt_text(&p->o, " at ");
        gl_fmt_address(&p->o, l->start);
        if (l->module) {
            gl_fmt_char(&p->o, ' ');
            module_and_offset(p, base_name(l->module), l->offset);
        }
        break;
    case GL_PLACE_HEAP:
        gl_fmt_text(&p->o, "heap block of size ");
        gl_fmt_dec(&p->o, l->size);
        gl_fmt_text(&p->o, " at ");
        gl_fmt_address(&p->o, l->start);
        gl_fmt_text(&p->o, " allocated by ");
        thread_name(p, l->thread);
        gl_fmt_char(&p->o, ':');
        break;
    case GL_PLACE_STACK:
    case GL_PLACE_TLS:
        gl_fmt_text(&p->o, l->place == GL_PLACE_STACK ? "stack of " : "TLS of ");
        thread_name(p, l->thread);
        gl_fmt_char(&p->o, '.');
        break;
    case GL_PLACE_FD:
        gl_fmt_text(&p->o, "file descriptor ");
        gl_fmt_dec(&p->o, (unsigned)l->fd);
        if (l->thread != GL_REPORT_NO_THREAD) {
            gl_fmt_text(&p->o, l->closed ? " destroyed by " : " created by ");
            thread_name(p, l->thread);
        }
        gl_fmt_text(&p->o, has_stack(l) ? " at:" : ".");
        break;
    case GL_PLACE_UNKNOWN:
        break;
    }
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (has_stack(l))
        stack(p, &l->allocated_at);
    else
        gl_fmt_char(&p->o, '\n');
}

static void mutex(struct printer *p, const struct gl_report_mutex *m)
{
    colour(p, CREATION);
    gl_fmt_text(&p->o, "  Mutex M");
    gl_fmt_dec(&p->o, m->number);
    if (m->destroyed) {
        gl_fmt_text(&p->o, " is already destroyed.");
    } else {
        gl_fmt_text(&p->o, " (");
        gl_fmt_address(&p->o, m->address);
        gl_fmt_text(&p->o, ") created at:");
    }
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (m->destroyed)
        gl_fmt_char(&p->o, '\n');
    else
        stack(p, &m->created_at);
}

static void thread(struct printer *p, const struct gl_report_thread *t)
{
    bool known = t->created_at.frames || t->created_at.pcs;
    colour(p, CREATION);
    gl_fmt_text(&p->o, "  Thread T");
    gl_fmt_dec(&p->o, t->number);
    if (t->name && t->name[0]) {
        gl_fmt_text(&p->o, " '");
        gl_fmt_text(&p->o, t->name);
        gl_fmt_char(&p->o, '\'');
    }
    gl_fmt_text(&p->o, " (tid=");
    gl_fmt_dec(&p->o, t->os_tid);
    gl_fmt_text(&p->o, t->running ? ", running) created by " : ", finished) created by ");
    thread_name(p, t->parent);
    gl_fmt_text(&p->o, known ? " at:" : "");
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (known || tsan(p))
        stack(p, &t->created_at);
    else
        gl_fmt_char(&p->o, '\n');
}

/* ---- mistakes that are not races ---------------------------------------------------------------- */

static const struct gl_report_mutex *mutex_by_number(const struct gl_report *r, uint32_t number)
{
    for (size_t i = 0; i < r->mutexes; i++)
        if (r->mutex[i].number == number)
            return &r->mutex[i];
    return NULL;
}

static void mutex_in_cycle(struct printer *p, const struct gl_report *r, uint32_t number)
{
    const struct gl_report_mutex *m = mutex_by_number(r, number);
    gl_fmt_char(&p->o, 'M');
    gl_fmt_dec(&p->o, number);
    if (m) {
        gl_fmt_text(&p->o, " (");
        gl_fmt_address(&p->o, m->address);
        gl_fmt_char(&p->o, ')');
    }
}

static void mutex_number(struct printer *p, const char *before, uint32_t number)
{
    gl_fmt_text(&p->o, before);
    gl_fmt_dec(&p->o, number);
}

static void cycle(struct printer *p, const struct gl_report *r)
{
    gl_fmt_text(&p->o, "  Cycle in lock order graph: ");
    for (size_t i = 0; i < r->edges; i++) {
        mutex_in_cycle(p, r, r->edge[i].from);
        gl_fmt_text(&p->o, " => ");
    }
    if (r->edges)
        mutex_number(p, "M", r->edge[0].from);
    gl_fmt_text(&p->o, "\n\n");
    for (size_t i = 0; i < r->edges; i++) {
        const struct gl_report_edge *e = &r->edge[i];
        colour(p, ACCESS);
        mutex_number(p, "  Mutex M", e->to);
        mutex_number(p, " acquired here while holding mutex M", e->from);
        gl_fmt_text(&p->o, " in ");
        thread_name(p, e->thread);
        gl_fmt_char(&p->o, ':');
        colour(p, DEFAULT);
        gl_fmt_char(&p->o, '\n');
        stack(p, &e->acquired_at);
        if (e->held_since.frames || e->held_since.pcs) {
            mutex_number(p, "  Mutex M", e->from);
            gl_fmt_text(&p->o, " previously acquired by the same thread here:\n");
            stack(p, &e->held_since);
        } else if (i == 0 && tsan(p)) {
            gl_fmt_text(&p->o, "    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message\n\n");
        }
    }
}

/* ThreadSanitizer's have no SIG in front. */
static const char *signal_name(const struct printer *p, const struct gl_report *r)
{
    const char *name = gl_report_signal(r->signal);
    if (!name)
        return "a signal";
    return tsan(p) ? name + sizeof "SIG" - 1 : name;
}

/* What comes before the stack, in our words. */
static void fault(struct printer *p, const struct gl_report *r)
{
    static const char *const access[] = {"an access", "a read", "a write", "a call or jump"};
    const struct gl_report_fault *f = &r->fault;
    colour(p, ACCESS);
    gl_fmt_text(&p->o, "  ");
    gl_fmt_text(&p->o, signal_name(p, r));
    if (f->sent) {
        gl_fmt_text(&p->o, " sent by process ");
        gl_fmt_dec(&p->o, f->sender);
        gl_fmt_text(&p->o, " to ");
    } else if (f->addressed) {
        gl_fmt_text(&p->o, " at ");
        gl_fmt_text(&p->o, access[f->access]);
        gl_fmt_text(&p->o, f->access == GL_FAULT_EXECUTE ? " to address " : " of address ");
        gl_fmt_address(&p->o, f->address);
        gl_fmt_text(&p->o, " by ");
    } else {
        gl_fmt_text(&p->o, " in ");
    }
    thread_name(p, f->thread);
    gl_fmt_char(&p->o, ':');
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
}

static void where(struct printer *p, const struct gl_report *r)
{
    if (r->type == GL_REPORT_FATAL_SIGNAL)
        fault(p, r);
    if (r->type == GL_REPORT_ERRNO_IN_SIGNAL) {
        gl_fmt_text(&p->o, "  Signal ");
        gl_fmt_dec(&p->o, r->signal);
        gl_fmt_text(&p->o, " handler invoked at:\n");
    }
    for (size_t i = 0; i < r->stacks; i++) {
        if (i)
            gl_fmt_text(&p->o, "  and:\n");
        stack(p, &r->stack[i]);
    }
}

static void similar(struct printer *p, const struct gl_report *r)
{
    if (!r->similar)
        return;
    gl_fmt_text(&p->o, "  And ");
    gl_fmt_dec(&p->o, r->similar);
    gl_fmt_text(&p->o, " more similar thread leaks.\n\n");
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static void own_remarks(struct printer *p, const struct gl_report *r)
{
    if (r->why) {
        colour(p, REASON);
        gl_fmt_text(&p->o, "  Nothing orders the two accesses: ");
        gl_fmt_text(&p->o, r->why);
        colour(p, DEFAULT);
        gl_fmt_text(&p->o, "\n\n");
    }
    if (r->occurrences > 1) {
        gl_fmt_text(&p->o, "  This pair of stacks has raced ");
        gl_fmt_dec(&p->o, r->occurrences);
        gl_fmt_text(&p->o, " times.\n\n");
    }
}

const struct gl_report_stack *gl_text_main_stack(const struct gl_report *r)
{
    return gl_report_is_race(r->type) ? &r->access[0].stack
           : r->edges                 ? &r->edge[0].acquired_at
           : r->stacks                ? &r->stack[0]
           : r->threads               ? &r->thread[0].created_at
                                      : NULL;
}

static void summary(struct printer *p, const struct gl_report *r)
{
    const struct gl_report_stack *s = gl_text_main_stack(r);
    struct gl_report_frame inlined[MAX_INLINED] = {{0}};
    const struct gl_report_frame *f = inlined;
    if (s && s->frames)
        f = s->frame;
    else if (s && s->pcs)
        gl_text_frames(p->t, s->pc[0], inlined);
    gl_fmt_text(&p->o, "SUMMARY: ");
    tool(p);
    gl_fmt_text(&p->o, ": ");
    bool fatal = r->type == GL_REPORT_FATAL_SIGNAL;
    gl_fmt_text(&p->o, fatal ? signal_name(p, r) : gl_report_title(r->type));
    if (f->file || f->module || f->function)
        gl_fmt_char(&p->o, ' ');
    if (f->file)
        file_and_line(p, f);
    else if (f->module)
        module_and_offset(p, f->module, f->offset);
    if (f->function) {
        gl_fmt_text(&p->o, f->file || f->module ? " in " : "in ");
        gl_fmt_text(&p->o, f->function);
    }
    gl_fmt_char(&p->o, '\n');
}

/* Each line of ThreadSanitizer's report of a signal begins so. */
static void process(struct printer *p, const struct gl_report *r)
{
    gl_fmt_text(&p->o, "==");
    gl_fmt_dec(&p->o, r->pid);
    gl_fmt_text(&p->o, "==");
}

static void named_address(struct printer *p, const char *before, uintptr_t value)
{
    gl_fmt_text(&p->o, before);
    gl_fmt_address(&p->o, value);
}

/* ThreadSanitizer has a layout of its own for signals. */
static void fault_of_tsan(struct printer *p, const struct gl_report *r)
{
    static const char *const access[] = {"UNKNOWN", "READ", "WRITE", "UNKNOWN"};
    const struct gl_report_fault *f = &r->fault;
    gl_fmt_text(&p->o, "ThreadSanitizer:DEADLYSIGNAL\n");
    colour(p, WARNING);
    process(p, r);
    gl_fmt_text(&p->o, "ERROR: ThreadSanitizer: ");
    gl_fmt_text(&p->o, signal_name(p, r));
    named_address(p, " on unknown address ", f->address);
    named_address(p, " (pc ", f->pc);
    named_address(p, " bp ", f->bp);
    named_address(p, " sp ", f->sp);
    gl_fmt_text(&p->o, " T");
    gl_fmt_dec(&p->o, f->thread);
    gl_fmt_char(&p->o, ')');
    colour(p, DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (f->addressed) {
        process(p, r);
        gl_fmt_text(&p->o, "The signal is caused by a ");
        gl_fmt_text(&p->o, access[f->access]);
        gl_fmt_text(&p->o, " memory access.\n");
        if (f->address < ZERO_PAGE) {
            process(p, r);
            gl_fmt_text(&p->o, "Hint: address points to the zero page.\n");
        }
    }
    for (size_t i = 0; i < r->stacks; i++)
        stack(p, &r->stack[i]);
    gl_fmt_text(&p->o, "ThreadSanitizer can not provide additional info.\n");
    summary(p, r);
    process(p, r);
    gl_fmt_text(&p->o, "ABORTING\n");
}

void gl_text_report(const struct gl_report *r, const struct gl_text *t)
{
    struct printer p = {.o = {.write = t->write, .ctx = t->write_ctx}, .t = t};
    if (r->type == GL_REPORT_FATAL_SIGNAL && tsan(&p)) {
        fault_of_tsan(&p, r);
        gl_fmt_flush(&p.o);
        return;
    }
    gl_fmt_text(&p.o, "==================\n");
    colour(&p, WARNING);
    gl_fmt_text(&p.o, "WARNING: ");
    tool(&p);
    gl_fmt_text(&p.o, ": ");
    gl_fmt_text(&p.o, gl_report_title(r->type));
    gl_fmt_text(&p.o, " (pid=");
    gl_fmt_dec(&p.o, r->pid);
    gl_fmt_char(&p.o, ')');
    colour(&p, DEFAULT);
    gl_fmt_char(&p.o, '\n');

    if (gl_report_is_race(r->type)) {
        access(&p, &r->access[0], true);
        access(&p, &r->access[1], false);
    } else if (r->type == GL_REPORT_DEADLOCK) {
        cycle(&p, r);
    } else {
        where(&p, r);
    }
    location(&p, &r->location);
    for (size_t i = 0; i < r->mutexes && (r->type != GL_REPORT_DEADLOCK || !tsan(&p)); i++)
        mutex(&p, &r->mutex[i]);
    for (size_t i = 0; i < r->threads; i++)
        thread(&p, &r->thread[i]);
    similar(&p, r);
    if (!tsan(&p))
        own_remarks(&p, r);
    summary(&p, r);
    gl_fmt_text(&p.o, "==================\n");
    gl_fmt_flush(&p.o);
}

void gl_text_closing(uint64_t races, uint64_t others, const struct gl_text *t)
{
    if (races + others == 0)
        return;
    struct printer p = {.o = {.write = t->write, .ctx = t->write_ctx}, .t = t};
    tool(&p);
    gl_fmt_text(&p.o, ": reported ");
    if (tsan(&p)) {
        gl_fmt_dec(&p.o, races + others);
        gl_fmt_text(&p.o, " warnings");
    }
    if (!tsan(&p) && races) {
        gl_fmt_dec(&p.o, races);
        gl_fmt_text(&p.o, races == 1 ? " race" : " races");
    }
    if (!tsan(&p) && others) {
        gl_fmt_text(&p.o, races ? " and " : "");
        gl_fmt_dec(&p.o, others);
        gl_fmt_text(&p.o, others == 1 ? " other mistake" : " other mistakes");
    }
    gl_fmt_char(&p.o, '\n');
    gl_fmt_flush(&p.o);
}
