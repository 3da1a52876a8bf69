/* SPDX-License-Identifier: Apache-2.0
 *
 * Prints a report.  The sections come in ThreadSanitizer's order: where it happened (a cycle of locks, stacks, or the
 * two accesses), what the address is, mutexes, threads, summary; each ends with an empty line.
 */
#include "report/printer.h"

enum { MAX_INLINED = GL_TEXT_INLINED };

void gl_print_colour(struct gl_printer *p, enum gl_printer_colour c)
{
    static const char *const code[] = {"\033[0m",       "\033[1m\033[31m", "\033[1m\033[34m",
                                       "\033[1m\033[32m", "\033[1m\033[36m", "\033[1m\033[35m"};
    if (p->t->colour)
        gl_fmt_text(&p->o, code[c]);
}

static void tool(struct gl_printer *p)
{
    gl_fmt_text(&p->o, gl_print_is_tsan(p) ? "ThreadSanitizer" : "Goldilocks");
}

void gl_print_thread(struct gl_printer *p, uint32_t number)
{
    if (p->t->goroutines && number == 1) {
        gl_fmt_text(&p->o, "main goroutine");
    } else if (p->t->goroutines && number != GL_REPORT_NO_THREAD) {
        gl_fmt_text(&p->o, number ? "goroutine " : "the first thread");
        if (number)
            gl_fmt_dec(&p->o, number);
    } else if (number == 0) {
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

static void file_and_line(struct gl_printer *p, const struct gl_report_frame *f)
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

static void module_and_offset(struct gl_printer *p, const char *module, uintptr_t offset)
{
    gl_fmt_char(&p->o, '(');
    gl_fmt_text(&p->o, module);
    gl_fmt_char(&p->o, '+');
    gl_fmt_hex(&p->o, offset);
    gl_fmt_char(&p->o, ')');
}

static void frame(struct gl_printer *p, size_t number, const struct gl_report_frame *f)
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

static void stack(struct gl_printer *p, const struct gl_report_stack *s)
{
    size_t number = 0;
    struct gl_report_frame called;
    if (gl_print_is_tsan(p) && gl_text_called(p->t, s, &called))
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

static const char *access_name(const struct gl_printer *p, enum gl_report_kind kind, bool first)
{
    switch (kind) {
    case GL_REPORT_READ:
        return first ? "Read" : "Previous read";
    case GL_REPORT_ATOMIC_READ:
        return first ? "Atomic read" : "Previous atomic read";
    case GL_REPORT_ATOMIC_WRITE:
        return first ? "Atomic write" : "Previous atomic write";
    case GL_REPORT_FREE:
        if (!gl_print_is_tsan(p))
            return first ? "Free" : "Previous free";
        break;
    case GL_REPORT_WRITE:
        break;
    }
    return first ? "Write" : "Previous write";
}

static void access(struct gl_printer *p, const struct gl_report_access *a, bool first)
{
    gl_print_colour(p, GL_ACCESS);
    gl_fmt_text(&p->o, "  ");
    gl_fmt_text(&p->o, access_name(p, a->kind, first));
    if (!p->t->goroutines || a->size != 1) {
        gl_fmt_text(&p->o, " of size ");
        gl_fmt_dec(&p->o, a->size);
    }
    gl_fmt_text(&p->o, " at ");
    gl_fmt_address(&p->o, a->address);
    gl_fmt_text(&p->o, " by ");
    gl_print_thread(p, a->thread);
    struct gl_report_frame called;
    if (!gl_print_is_tsan(p) && gl_text_called(p->t, &a->stack, &called)) {
        gl_fmt_text(&p->o, " in ");
        gl_fmt_text(&p->o, called.function);
    }
    for (size_t i = 0; i < a->n_held; i++) {
        gl_fmt_text(&p->o, i == 0 ? " (mutexes: " : ", ");
        gl_fmt_text(&p->o, a->held[i].write ? "write M" : "read M");
        gl_fmt_dec(&p->o, a->held[i].mutex);
    }
    gl_fmt_text(&p->o, a->n_held ? "):" : ":");
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    stack(p, &a->stack);
}

static void slept(struct gl_printer *p, const struct gl_report_stack *at)
{
    if (!at->frames && !at->pcs)
        return;
    gl_print_colour(p, GL_REASON);
    gl_fmt_text(&p->o, "  As if synchronized via sleep:");
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    stack(p, at);
}

static bool has_stack(const struct gl_report_location *l)
{
    return l->place == GL_PLACE_HEAP || (l->place == GL_PLACE_FD && l->thread != GL_REPORT_NO_THREAD);
}

static void location(struct gl_printer *p, const struct gl_report_location *l)
{
    if (l->place == GL_PLACE_UNKNOWN)
        return;
    gl_print_colour(p, GL_PLACE);
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
        gl_print_thread(p, l->thread);
        gl_fmt_char(&p->o, ':');
        break;
    case GL_PLACE_STACK:
    case GL_PLACE_TLS:
        gl_fmt_text(&p->o, l->place == GL_PLACE_STACK ? "stack of " : "TLS of ");
        gl_print_thread(p, l->thread);
        gl_fmt_char(&p->o, '.');
        break;
    case GL_PLACE_FD:
        gl_fmt_text(&p->o, "file descriptor ");
        gl_fmt_dec(&p->o, (unsigned)l->fd);
        if (l->thread != GL_REPORT_NO_THREAD) {
            gl_fmt_text(&p->o, l->closed ? " destroyed by " : " created by ");
            gl_print_thread(p, l->thread);
        }
        gl_fmt_text(&p->o, has_stack(l) ? " at:" : ".");
        break;
    case GL_PLACE_UNKNOWN:
        break;
    }
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (has_stack(l))
        stack(p, &l->allocated_at);
    else
        gl_fmt_char(&p->o, '\n');
}

static void mutex(struct gl_printer *p, const struct gl_report_mutex *m)
{
    gl_print_colour(p, GL_CREATION);
    gl_fmt_text(&p->o, "  Mutex M");
    gl_fmt_dec(&p->o, m->number);
    if (m->destroyed) {
        gl_fmt_text(&p->o, " is already destroyed.");
    } else {
        gl_fmt_text(&p->o, " (");
        gl_fmt_address(&p->o, m->address);
        gl_fmt_text(&p->o, ") created at:");
    }
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (m->destroyed)
        gl_fmt_char(&p->o, '\n');
    else
        stack(p, &m->created_at);
}

static void thread(struct gl_printer *p, const struct gl_report_thread *t)
{
    bool known = t->created_at.frames || t->created_at.pcs;
    gl_print_colour(p, GL_CREATION);
    gl_fmt_text(&p->o, p->t->goroutines ? "  Goroutine " : "  Thread T");
    gl_fmt_dec(&p->o, t->number);
    if (t->name && t->name[0]) {
        gl_fmt_text(&p->o, " '");
        gl_fmt_text(&p->o, t->name);
        gl_fmt_char(&p->o, '\'');
    }
    gl_fmt_text(&p->o, " (tid=");
    gl_fmt_dec(&p->o, t->os_tid);
    gl_fmt_text(&p->o, t->running ? ", running) created by " : ", finished) created by ");
    gl_print_thread(p, t->parent);
    gl_fmt_text(&p->o, known ? " at:" : "");
    gl_print_colour(p, GL_DEFAULT);
    gl_fmt_char(&p->o, '\n');
    if (known || gl_print_is_tsan(p))
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

static void mutex_in_cycle(struct gl_printer *p, const struct gl_report *r, uint32_t number)
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

static void mutex_number(struct gl_printer *p, const char *before, uint32_t number)
{
    gl_fmt_text(&p->o, before);
    gl_fmt_dec(&p->o, number);
}

static void cycle(struct gl_printer *p, const struct gl_report *r)
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
        gl_print_colour(p, GL_ACCESS);
        mutex_number(p, "  Mutex M", e->to);
        mutex_number(p, " acquired here while holding mutex M", e->from);
        gl_fmt_text(&p->o, " in ");
        gl_print_thread(p, e->thread);
        gl_fmt_char(&p->o, ':');
        gl_print_colour(p, GL_DEFAULT);
        gl_fmt_char(&p->o, '\n');
        stack(p, &e->acquired_at);
        if (e->held_since.frames || e->held_since.pcs) {
            mutex_number(p, "  Mutex M", e->from);
            gl_fmt_text(&p->o, " previously acquired by the same thread here:\n");
            stack(p, &e->held_since);
        } else if (i == 0 && gl_print_is_tsan(p)) {
            gl_fmt_text(&p->o, "    Hint: use TSAN_OPTIONS=second_deadlock_stack=1 to get more informative warning message\n\n");
        }
    }
}

static void where(struct gl_printer *p, const struct gl_report *r)
{
    if (r->type == GL_REPORT_FATAL_SIGNAL)
        gl_print_fault(p, r);
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

static void similar(struct gl_printer *p, const struct gl_report *r)
{
    if (!r->similar)
        return;
    gl_fmt_text(&p->o, "  And ");
    gl_fmt_dec(&p->o, r->similar);
    gl_fmt_text(&p->o, " more similar thread leaks.\n\n");
}

/* ---- the whole ---------------------------------------------------------------------------------- */

static void own_remarks(struct gl_printer *p, const struct gl_report *r)
{
    if (r->why) {
        gl_print_colour(p, GL_REASON);
        gl_fmt_text(&p->o, "  Nothing orders the two accesses: ");
        gl_fmt_text(&p->o, r->why);
        gl_print_colour(p, GL_DEFAULT);
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

static void summary(struct gl_printer *p, const struct gl_report *r)
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
    gl_fmt_text(&p->o, fatal ? gl_print_signal_name(p, r) : gl_report_title(r->type));
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

/* ThreadSanitizer has a layout of its own for signals. */
static void fault_of_tsan(struct gl_printer *p, const struct gl_report *r)
{
    gl_print_fault_begin(p, r);
    for (size_t i = 0; i < r->stacks; i++)
        stack(p, &r->stack[i]);
    gl_print_fault_middle(p, r);
    summary(p, r);
    gl_print_fault_end(p, r);
}

void gl_text_report(const struct gl_report *r, const struct gl_text *t)
{
    struct gl_printer p = {.o = {.write = t->write, .ctx = t->write_ctx}, .t = t};
    if (r->type == GL_REPORT_FATAL_SIGNAL && gl_print_is_tsan(&p)) {
        fault_of_tsan(&p, r);
        gl_fmt_flush(&p.o);
        return;
    }
    gl_fmt_text(&p.o, "==================\n");
    gl_print_colour(&p, GL_WARNING);
    gl_fmt_text(&p.o, "WARNING: ");
    tool(&p);
    gl_fmt_text(&p.o, ": ");
    gl_fmt_text(&p.o, gl_report_title(r->type));
    gl_fmt_text(&p.o, " (pid=");
    gl_fmt_dec(&p.o, r->pid);
    gl_fmt_char(&p.o, ')');
    gl_print_colour(&p, GL_DEFAULT);
    gl_fmt_char(&p.o, '\n');

    if (gl_report_is_race(r->type)) {
        access(&p, &r->access[0], true);
        access(&p, &r->access[1], false);
        slept(&p, &r->slept_at);
    } else if (r->type == GL_REPORT_DEADLOCK) {
        cycle(&p, r);
    } else {
        where(&p, r);
    }
    location(&p, &r->location);
    for (size_t i = 0; i < r->mutexes && (r->type != GL_REPORT_DEADLOCK || !gl_print_is_tsan(&p)); i++)
        mutex(&p, &r->mutex[i]);
    for (size_t i = 0; i < r->threads; i++)
        thread(&p, &r->thread[i]);
    similar(&p, r);
    if (!gl_print_is_tsan(&p))
        own_remarks(&p, r);
    summary(&p, r);
    gl_fmt_text(&p.o, "==================\n");
    gl_fmt_flush(&p.o);
}

void gl_text_closing(uint64_t races, uint64_t others, const struct gl_text *t)
{
    if (races + others == 0)
        return;
    struct gl_printer p = {.o = {.write = t->write, .ctx = t->write_ctx}, .t = t};
    tool(&p);
    gl_fmt_text(&p.o, ": reported ");
    if (gl_print_is_tsan(&p)) {
        gl_fmt_dec(&p.o, races + others);
        gl_fmt_text(&p.o, " warnings");
    }
    if (!gl_print_is_tsan(&p) && races) {
        gl_fmt_dec(&p.o, races);
        gl_fmt_text(&p.o, races == 1 ? " race" : " races");
    }
    if (!gl_print_is_tsan(&p) && others) {
        gl_fmt_text(&p.o, races ? " and " : "");
        gl_fmt_dec(&p.o, others);
        gl_fmt_text(&p.o, others == 1 ? " other mistake" : " other mistakes");
    }
    gl_fmt_char(&p.o, '\n');
    gl_fmt_flush(&p.o);
}
