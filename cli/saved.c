/* SPDX-License-Identifier: Apache-2.0
 *
 * See saved.h.  What a report lacks is taken for unknown, but for what makes it a report: its type, and accesses, a cycle or stacks.
 */
#define _GNU_SOURCE
#include "cli/saved.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory: given back all at once ---- */

struct block {
    struct block *next;
    max_align_t bytes[];
};

static void *take(struct gl_saved *s, size_t n)
{
    struct block *b = calloc(1, sizeof *b + n);
    if (!b)
        abort(); /* out of memory in a small command */
    b->next = s->blocks;
    s->blocks = b;
    return b->bytes;
}

void gl_saved_free(struct gl_saved *s)
{
    for (struct block *b = s->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    json_decref(s->json);
    *s = (struct gl_saved){0};
}

/* ---- values; of another kind: unknown ---- */

static uint64_t number(const json_t *o, const char *name)
{
    json_int_t n = json_integer_value(json_object_get(o, name));
    return n > 0 ? (uint64_t)n : 0;
}

static const char *text(const json_t *o, const char *name)
{
    return json_string_value(json_object_get(o, name));
}

static uintptr_t address(const json_t *o, const char *name)
{
    const char *t = text(o, name);
    return t ? (uintptr_t)strtoull(t, NULL, 16) : 0;
}

static const char *copy(struct gl_saved *s, const char *a, const char *b, const char *c)
{
    size_t n = strlen(a) + strlen(b) + strlen(c) + 1;
    char *all = take(s, n);
    snprintf(all, n, "%s%s%s", a, b, c);
    return all;
}

/* ---- native reports ---- */

static struct gl_report_stack stack(struct gl_saved *s, const json_t *frames)
{
    size_t n = json_array_size(frames);
    struct gl_report_frame *f = take(s, n * sizeof *f);
    for (size_t i = 0; i < n; i++) {
        const json_t *o = json_array_get(frames, i);
        f[i] = (struct gl_report_frame){.function = text(o, "function"),
                                        .file = text(o, "file"),
                                        .line = (uint32_t)number(o, "line"),
                                        .column = (uint32_t)number(o, "column"),
                                        .module = text(o, "module"),
                                        .offset = address(o, "offset")};
        f[i].pc = f[i].module ? 0 : f[i].offset;
    }
    return (struct gl_report_stack){.frame = f, .frames = n};
}

static struct gl_report_stack stack_of(struct gl_saved *s, const json_t *o, const char *name)
{
    return stack(s, json_object_get(o, name));
}

static uint32_t id_of(const json_t *o, const char *name)
{
    const json_t *id = json_object_get(o, name);
    return json_is_integer(id) ? (uint32_t)number(o, name) : GL_REPORT_NO_THREAD;
}

/* Notes what is said about the thread; returns its number. */
static uint32_t thread(struct gl_saved *s, const json_t *o)
{
    struct gl_report_thread *list = (struct gl_report_thread *)s->native.thread;
    uint32_t id = id_of(o, "id");
    if (id == GL_REPORT_NO_THREAD || !json_object_get(o, "created_at"))
        return id;
    for (size_t i = 0; i < s->threads; i++)
        if (list[i].number == id)
            return id;
    list[s->threads++] = (struct gl_report_thread){.number = id,
                                                   .os_tid = (uint32_t)number(o, "os_id"),
                                                   .name = text(o, "name"),
                                                   .running = json_is_true(json_object_get(o, "running")),
                                                   .parent = id_of(o, "parent"),
                                                   .created_at = stack_of(s, o, "created_at")};
    return id;
}

static uint32_t mutex(struct gl_saved *s, const json_t *o)
{
    struct gl_report_mutex *list = (struct gl_report_mutex *)s->native.mutex;
    uint32_t id = (uint32_t)number(o, "id");
    for (size_t i = 0; i < s->mutexes; i++)
        if (list[i].number == id)
            return id;
    if (json_object_get(o, "address"))
        list[s->mutexes++] = (struct gl_report_mutex){.number = id,
                                                      .address = address(o, "address"),
                                                      .destroyed = json_is_true(json_object_get(o, "destroyed")),
                                                      .created_at = stack_of(s, o, "created_at")};
    return id;
}

static void access(struct gl_saved *s, const json_t *o, struct gl_report_access *a)
{
    static const char *const kinds[] = {"read", "write", "atomic read", "atomic write", "free"};
    const json_t *held = json_object_get(o, "mutexes");
    const char *kind = text(o, "kind");
    *a = (struct gl_report_access){.address = address(o, "address"), .size = number(o, "size"), .stack = stack_of(s, o, "stack")};
    for (unsigned i = 0; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            a->kind = i;
    a->thread = thread(s, json_object_get(o, "thread"));
    a->n_held = json_array_size(held);
    struct gl_report_held *h = take(s, a->n_held * sizeof *h);
    for (size_t i = 0; i < a->n_held; i++) {
        const json_t *m = json_array_get(held, i);
        const char *mode = text(m, "mode");
        h[i] = (struct gl_report_held){.mutex = mutex(s, m), .write = !mode || strcmp(mode, "read") != 0};
    }
    a->held = h;
}

static void location(struct gl_saved *s, const json_t *o)
{
    static const char *const kinds[] = {"", "global", "heap", "stack", "tls", "fd"};
    struct gl_report_location *l = &s->native.location;
    const char *kind = text(o, "kind");
    for (unsigned i = 1; kind && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            l->place = i;
    l->name = text(o, "name");
    l->start = address(o, "address");
    l->size = number(o, "size");
    l->module = text(o, "module");
    l->offset = address(o, "offset");
    if (json_object_get(o, "thread"))
        l->thread = thread(s, json_object_get(o, "thread"));
    l->allocated_at = stack_of(s, o, l->place == GL_PLACE_FD ? "at" : "allocated_at");
    l->fd = (int)number(o, "fd");
    l->closed = json_is_true(json_object_get(o, "closed"));
}

static void cycle(struct gl_saved *s, const json_t *steps)
{
    struct gl_report_edge *e = take(s, json_array_size(steps) * sizeof *e);
    s->native.edge = e;
    s->native.edges = json_array_size(steps);
    for (size_t i = 0; i < s->native.edges; i++) {
        const json_t *o = json_array_get(steps, i);
        e[i] = (struct gl_report_edge){.from = mutex(s, json_object_get(o, "held")),
                                       .to = mutex(s, json_object_get(o, "acquired")),
                                       .thread = thread(s, json_object_get(o, "thread")),
                                       .acquired_at = stack_of(s, o, "stack"),
                                       .held_since = stack_of(s, o, "held_since")};
    }
}

static void fault(struct gl_saved *s, const json_t *o, struct gl_report_fault *f)
{
    static const char *const access[] = {"", "read", "write", "execute"};
    const char *a = text(o, "access");
    f->sent = json_is_integer(json_object_get(o, "sender"));
    f->sender = (uint32_t)number(o, "sender");
    f->addressed = json_is_string(json_object_get(o, "address"));
    f->address = address(o, "address");
    f->stack_full = json_is_true(json_object_get(o, "stack_full"));
    f->thread = thread(s, json_object_get(o, "thread"));
    for (int i = GL_FAULT_READ; a && i <= GL_FAULT_EXECUTE; i++)
        if (strcmp(a, access[i]) == 0)
            f->access = (enum gl_report_fault_access)i;
}

static void mistake(struct gl_saved *s, const json_t *o)
{
    const json_t *stacks = json_object_get(o, "stacks"), *list = json_object_get(o, "mutexes"), *threads = json_object_get(o, "threads");
    struct gl_report_stack *all = take(s, json_array_size(stacks) * sizeof *all);
    s->native.stack = all;
    s->native.stacks = json_array_size(stacks);
    for (size_t i = 0; i < s->native.stacks; i++)
        all[i] = stack(s, json_array_get(stacks, i));
    for (size_t i = 0; i < json_array_size(list); i++)
        (void)mutex(s, json_array_get(list, i));
    for (size_t i = 0; i < json_array_size(threads); i++)
        (void)thread(s, json_array_get(threads, i));
    s->native.signal = (uint32_t)number(o, "signal");
    if (s->native.type == GL_REPORT_FATAL_SIGNAL)
        fault(s, o, &s->native.fault);
    s->native.similar = number(o, "similar");
}

/* How many objects the value holds: no list of threads or mutexes is longer. */
static size_t objects(const json_t *v)
{
    size_t n = json_is_object(v), i;
    const char *key;
    json_t *each;
    if (json_is_object(v)) {
        json_object_foreach((json_t *)v, key, each) n += objects(each);
    } else {
        json_array_foreach(v, i, each) n += objects(each);
    }
    return n;
}

static const char *read_native(struct gl_saved *s)
{
    const json_t *o = s->json, *accesses = json_object_get(o, "accesses"), *steps = json_object_get(o, "cycle");
    struct gl_report *r = &s->native;
    unsigned type = 0;
    while (type < GL_REPORT_TYPES && strcmp(gl_report_word(type), s->type) != 0)
        type++;
    if (type == GL_REPORT_TYPES)
        return "is of a type that this version does not know";
    r->type = type;
    r->pid = (uint32_t)number(o, "pid");
    s->title = gl_report_title(type);
    size_t most = objects(o);
    r->thread = take(s, most * sizeof *r->thread);
    r->mutex = take(s, most * sizeof *r->mutex);
    if (gl_report_is_race(type)) {
        if (json_array_size(accesses) != 2)
            return "has no two 'accesses'";
        access(s, json_array_get(accesses, 0), &s->native.access[0]);
        access(s, json_array_get(accesses, 1), &s->native.access[1]);
        r->slept_at = stack_of(s, o, "slept_at");
        r->why = text(o, "why");
        r->occurrences = number(o, "occurrences");
    } else if (type == GL_REPORT_DEADLOCK) {
        if (json_array_size(steps) == 0)
            return "has no 'cycle'";
        cycle(s, steps);
    } else {
        if (!json_is_array(json_object_get(o, "stacks")))
            return "has no 'stacks'";
        mistake(s, o);
    }
    location(s, json_object_get(o, "location"));
    r->threads = s->threads;
    r->mutexes = s->mutexes;
    return NULL;
}

/* ---- Java's ---- */

static const char *text_or(const char *t, const char *otherwise)
{
    return t ? t : otherwise;
}

static struct gl_managed_frame java_frame(const json_t *o)
{
    return (struct gl_managed_frame){text_or(text(o, "class"), "?"), text_or(text(o, "method"), "?"), text(o, "file"),
                                     (uint32_t)number(o, "line")};
}

/* location: that of the report; NULL: it does not say where the object was made. */
static const struct gl_managed_allocation *allocation(struct gl_saved *s, const json_t *location)
{
    const json_t *thread = json_object_get(location, "thread"), *at = json_array_get(json_object_get(location, "allocated_at"), 0);
    if (!at)
        return NULL;
    struct gl_managed_allocation *a = take(s, sizeof *a);
    a->thread = text(thread, "name");
    a->number = number(thread, "id");
    a->thread_id = a->thread ? 0 : a->number;
    a->at = java_frame(at);
    return a;
}

static const char *read_java(struct gl_saved *s)
{
    const json_t *accesses = json_object_get(s->json, "accesses"), *location = json_object_get(s->json, "location");
    struct gl_managed_report *r = &s->java;
    *r = (struct gl_managed_report){.pid = (uint32_t)number(s->json, "pid"),
                                    .variable = text_or(text(s->json, "variable"), "?"),
                                    .object = text(s->json, "object"),
                                    .tells_allocation = json_object_get(location, "allocated_at") != NULL,
                                    .allocated = allocation(s, location),
                                    .why = text(s->json, "why"),
                                    .occurrences = number(s->json, "occurrences")};
    s->title = gl_report_title(GL_REPORT_RACE);
    if (json_array_size(accesses) != 2)
        return "has no two 'accesses'";
    for (int i = 0; i < 2; i++) {
        const json_t *o = json_array_get(accesses, (size_t)i), *frames = json_object_get(o, "stack"), *thread = json_object_get(o, "thread");
        struct gl_managed_access *a = &r->access[i];
        a->frames = json_array_size(frames);
        if (a->frames == 0)
            return "has an access without a 'stack'";
        struct gl_managed_frame *f = take(s, a->frames * sizeof *f);
        for (size_t k = 0; k < a->frames; k++)
            f[k] = java_frame(json_array_get(frames, k));
        a->frame = f;
        a->write = strcmp(text_or(text(o, "kind"), ""), "write") == 0;
        a->thread = text(thread, "name");
        a->number = number(thread, "id");
        a->thread_id = a->thread ? 0 : a->number;
        a->whole = !json_is_false(json_object_get(o, "stack_is_whole"));
    }
    return NULL;
}

bool gl_saved_read(json_t *json, struct gl_saved *out, const char **why)
{
    *out = (struct gl_saved){.json = json, .type = text(json, "type"), .managed = json_object_get(json, "variable") != NULL};
    *why = !out->type ? "has no 'type'" : out->managed ? read_java(out) : read_native(out);
    if (*why)
        gl_saved_free(out);
    return !*why;
}

/* ---- stacks with headings ---- */

struct visitor {
    void (*visit)(void *ctx, const struct gl_saved_stack *stack);
    void *ctx;
};

__attribute__((format(printf, 4, 5))) static void tell(const struct visitor *v, bool about, struct gl_report_stack frames, const char *fmt, ...)
{
    char heading[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(heading, sizeof heading, fmt, ap);
    va_end(ap);
    v->visit(v->ctx, &(struct gl_saved_stack){heading, about, frames.frame, frames.frames});
}

static const char *who(uint32_t id, char buf[32])
{
    if (id == 0)
        return "the main thread";
    if (id == GL_REPORT_NO_THREAD)
        return "an unknown thread";
    snprintf(buf, 32, "thread T%u", id);
    return buf;
}

static void tell_access(const struct visitor *v, const struct gl_report_access *a, bool first)
{
    static const char *const now[] = {"Read", "Write", "Atomic read", "Atomic write", "Free"};
    static const char *const then[] = {"Previous read", "Previous write", "Previous atomic read", "Previous atomic write", "Previous free"};
    char buf[32], held[256] = "";
    for (size_t i = 0; i < a->n_held && strlen(held) < sizeof held - 40; i++)
        snprintf(held + strlen(held), sizeof held - strlen(held), "%s%s M%u", i ? ", " : ", holding ", a->held[i].write ? "write" : "read",
                 a->held[i].mutex);
    tell(v, true, a->stack, "%s of %zu bytes at 0x%zx by %s%s", first ? now[a->kind] : then[a->kind], a->size, (size_t)a->address,
         who(a->thread, buf), held);
}

static void tell_fault(const struct visitor *v, const struct gl_report *r, struct gl_report_stack stack)
{
    static const char *const access[] = {"an access", "a read", "a write", "a call or jump"};
    const struct gl_report_fault *f = &r->fault;
    const char *name = text_or(gl_report_signal(r->signal), "A signal");
    char buf[32];
    if (f->sent)
        tell(v, true, stack, "%s sent by process %u to %s", name, f->sender, who(f->thread, buf));
    else if (f->addressed)
        tell(v, true, stack, "%s at %s of address 0x%zx%s by %s", name, access[f->access], (size_t)f->address,
             f->stack_full ? ", past the end of the stack," : "", who(f->thread, buf));
    else
        tell(v, true, stack, "%s in %s", name, who(f->thread, buf));
}

static void tell_native(const struct visitor *v, const struct gl_report *r)
{
    char a[32], b[32];
    const struct gl_report_location *l = &r->location;
    for (int i = 0; gl_report_is_race(r->type) && i < 2; i++)
        tell_access(v, &r->access[i], i == 0);
    if (r->slept_at.frames)
        tell(v, true, r->slept_at, "As if synchronized via sleep");
    for (size_t i = 0; i < r->stacks; i++)
        if (r->type == GL_REPORT_ERRNO_IN_SIGNAL)
            tell(v, true, r->stack[i], "The handler of signal %u, which came", r->signal);
        else if (r->type == GL_REPORT_FATAL_SIGNAL)
            tell_fault(v, r, r->stack[i]);
        else
            tell(v, true, r->stack[i], "%s", i ? "And, where it was locked" : "Here");
    for (size_t i = 0; i < r->edges; i++) {
        const struct gl_report_edge *e = &r->edge[i];
        tell(v, true, e->acquired_at, "M%u acquired while holding M%u by %s", e->to, e->from, who(e->thread, a));
        if (e->held_since.frames)
            tell(v, true, e->held_since, "M%u acquired before that by the same thread", e->from);
    }
    if (l->place == GL_PLACE_GLOBAL)
        tell(v, false, (struct gl_report_stack){0}, "The address is in the global variable %s of %zu bytes at 0x%zx", text_or(l->name, "?"),
             l->size, (size_t)l->start);
    else if (l->place == GL_PLACE_HEAP)
        tell(v, false, l->allocated_at, "The address is in a heap block of %zu bytes at 0x%zx, allocated by %s", l->size, (size_t)l->start,
             who(l->thread, a));
    else if (l->place == GL_PLACE_FD && l->thread != GL_REPORT_NO_THREAD)
        tell(v, false, l->allocated_at, "The address stands for file descriptor %d, %s by %s", l->fd, l->closed ? "closed" : "made",
             who(l->thread, a));
    else if (l->place == GL_PLACE_FD)
        tell(v, false, (struct gl_report_stack){0}, "The address stands for file descriptor %d", l->fd);
    else if (l->place != GL_PLACE_UNKNOWN)
        tell(v, false, (struct gl_report_stack){0}, "The address is in the %s of %s",
             l->place == GL_PLACE_STACK ? "stack" : "thread-local memory", who(l->thread, a));
    for (size_t i = 0; i < r->mutexes; i++)
        tell(v, false, r->mutex[i].created_at, "Mutex M%u (0x%zx) created", r->mutex[i].number, (size_t)r->mutex[i].address);
    for (size_t i = 0; i < r->threads; i++) {
        const struct gl_report_thread *t = &r->thread[i];
        tell(v, r->type == GL_REPORT_THREAD_LEAK, t->created_at, "%s%s%s%s (tid %u, %s) created by %s", who(t->number, a),
             t->name ? " '" : "", text_or(t->name, ""), t->name ? "'" : "", t->os_tid, t->running ? "running" : "finished",
             who(t->parent, b));
    }
}

/* The frames of Java, as those of other programs; `names` gets what is needed for that. */
static struct gl_report_stack frames_of(struct gl_saved *names, const struct gl_managed_frame *frame, size_t n)
{
    struct gl_report_frame *f = take(names, n * sizeof *f);
    for (size_t i = 0; i < n; i++)
        f[i] = (struct gl_report_frame){.function = copy(names, frame[i].class_name, ".", frame[i].method),
                                        .file = frame[i].file,
                                        .line = frame[i].line};
    return (struct gl_report_stack){.frame = f, .frames = n};
}

/* As in the text: thread "name", thread #3 where it has none. */
static const char *java_thread(struct gl_saved *names, const char *name, uint64_t number)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, number);
    return name ? copy(names, "thread \"", name, "\"") : number ? copy(names, "thread #", digits, "") : "an unknown thread";
}

static void tell_java(const struct visitor *v, const struct gl_saved *s)
{
    const struct gl_managed_allocation *made = s->java.allocated;
    for (int i = 0; i < 2; i++) {
        const struct gl_managed_access *a = &s->java.access[i];
        struct gl_saved names = {0}; /* of the frames, while they are told */
        tell(v, true, frames_of(&names, a->frame, a->frames), "%s of %s by %s%s",
             a->write ? (i ? "Previous write" : "Write") : (i ? "Previous read" : "Read"), s->java.variable,
             java_thread(&names, a->thread, a->number), a->whole ? "" : " (callers are not kept)");
        gl_saved_free(&names);
    }
    if (made) {
        struct gl_saved names = {0};
        tell(v, false, frames_of(&names, &made->at, 1), "The object was allocated by %s (callers are not kept)",
             java_thread(&names, made->thread, made->number));
        gl_saved_free(&names);
    }
}

void gl_saved_each_stack(const struct gl_saved *s, void (*visit)(void *ctx, const struct gl_saved_stack *stack), void *ctx)
{
    struct visitor v = {visit, ctx};
    if (s->managed)
        tell_java(&v, s);
    else
        tell_native(&v, &s->native);
}
