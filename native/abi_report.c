/* SPDX-License-Identifier: Apache-2.0
 *
 * ThreadSanitizer's functions by which __tsan_on_report() and debuggers ask about a report and about addresses.  `report` is
 * what __tsan_on_report() was given, and is valid inside it.  Program counters are those of the calls, not return addresses; the
 * function of ours that the innermost frame called is a frame in front of it.  The main thread is one of the threads.
 *
 * They return 1, or 0 where there is nothing of that kind (a wrong index, an unknown address).
 */
#include "native/collect.h"
#include "symbol/symbol.h"

/* Set while a report's hook runs (collect.c). */
struct rt_report *rt_current_report;

static void copy_stack(const struct gl_report_stack *s, void **trace, uintptr_t size)
{
    uintptr_t first = s && s->called, n = s ? s->pcs : 0;
    for (uintptr_t i = 0; i < size && trace; i++)
        trace[i] = i < first ? (void *)(s->called - 1) : i < first + n ? (void *)(s->pc[i - first] - 1) : NULL;
}

RT_EXPORT void *__tsan_get_current_report(void);
RT_EXPORT void *__tsan_get_current_report(void)
{
    return rt_current_report;
}

/* An edge of a cycle stands for one stack, or two when both are told. */
static size_t stack_count(const struct gl_report *r)
{
    bool both = r->edges && r->edge[0].held_since.pcs;
    return r->edges ? r->edges * (both ? 2 : 1) : r->stacks;
}

static const struct gl_report_stack *stack_at(const struct gl_report *r, uintptr_t i)
{
    if (!r->edges)
        return &r->stack[i];
    bool both = r->edge[0].held_since.pcs;
    const struct gl_report_edge *e = &r->edge[both ? i / 2 : i];
    return both && i % 2 ? &e->held_since : &e->acquired_at;
}

/* Where the main thread is among the threads: they come in the order in which the report names them.  -1: it has no part. */
static int main_thread_at(const struct gl_report *r)
{
    const struct gl_report_location *l = &r->location;
    uint32_t named[RT_MAX_CYCLE + 2];
    int n = 0, before = 0;
    for (int i = 0; gl_report_is_race(r->type) && i < 2; i++)
        named[n++] = r->access[i].thread;
    for (size_t i = 0; i < r->edges; i++)
        named[n++] = r->edge[i].thread;
    if (gl_report_is_race(r->type) && l->place != GL_PLACE_UNKNOWN && l->place != GL_PLACE_GLOBAL)
        named[n++] = l->thread;
    for (int i = 0; i < n; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= named[k] == named[i];
        if (named[i] == 0)
            return before;
        before += !again && named[i] != GL_REPORT_NO_THREAD;
    }
    return -1;
}

static int mop_count(const struct gl_report *r)
{
    return gl_report_is_race(r->type) ? 2 : 0;
}

RT_EXPORT int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *mops, int *locs, int *mutexes,
                                     int *threads, int *unique_tids, void **sleep_trace, uintptr_t size);
RT_EXPORT int __tsan_get_report_data(void *report, const char **description, int *count, int *stacks, int *mops, int *locs, int *mutexes,
                                     int *threads, int *unique_tids, void **sleep_trace, uintptr_t size)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    *description = gl_report_word(r->type);
    *count = r->type == GL_REPORT_THREAD_LEAK ? (int)r->similar + 1 : 0; /* as ThreadSanitizer */
    *stacks = (int)stack_count(r);
    *mops = mop_count(r);
    *locs = r->location.place != GL_PLACE_UNKNOWN;
    *mutexes = (int)r->mutexes;
    *threads = (int)r->threads + (main_thread_at(r) >= 0);
    *unique_tids = (int)r->edges;
    copy_stack(r->slept_at.pcs ? &r->slept_at : NULL, sleep_trace, size);
    return 1;
}

RT_EXPORT int __tsan_get_report_tag(void *report, uintptr_t *tag);
RT_EXPORT int __tsan_get_report_tag(void *report, uintptr_t *tag)
{
    (void)report;
    *tag = 0; /* of external objects, which we do not tell apart */
    return 1;
}

RT_EXPORT int __tsan_get_report_stack(void *report, uintptr_t i, void **trace, uintptr_t size);
RT_EXPORT int __tsan_get_report_stack(void *report, uintptr_t i, void **trace, uintptr_t size)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    if (i >= stack_count(r))
        return 0;
    copy_stack(stack_at(r, i), trace, size);
    return 1;
}

RT_EXPORT int __tsan_get_report_mop(void *report, uintptr_t i, int *tid, void **addr, int *size, int *write, int *atomic, void **trace,
                                    uintptr_t trace_size);
RT_EXPORT int __tsan_get_report_mop(void *report, uintptr_t i, int *tid, void **addr, int *size, int *write, int *atomic, void **trace,
                                    uintptr_t trace_size)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    if (i >= (uintptr_t)mop_count(r))
        return 0;
    const struct gl_report_access *a = &r->access[i];
    *tid = (int)a->thread;
    *addr = (void *)a->address;
    *size = (int)a->size;
    *write = a->kind == GL_REPORT_WRITE || a->kind == GL_REPORT_ATOMIC_WRITE || a->kind == GL_REPORT_FREE;
    *atomic = a->kind == GL_REPORT_ATOMIC_READ || a->kind == GL_REPORT_ATOMIC_WRITE;
    copy_stack(&a->stack, trace, trace_size);
    return 1;
}

static const char *place_word(enum gl_report_place place)
{
    static const char *const word[] = {"", "global", "heap", "stack", "tls", "fd"};
    return word[place];
}

RT_EXPORT int __tsan_get_report_loc(void *report, uintptr_t i, const char **type, void **addr, uintptr_t *start, uintptr_t *size, int *tid,
                                    int *fd, int *suppressable, void **trace, uintptr_t trace_size);
RT_EXPORT int __tsan_get_report_loc(void *report, uintptr_t i, const char **type, void **addr, uintptr_t *start, uintptr_t *size, int *tid,
                                    int *fd, int *suppressable, void **trace, uintptr_t trace_size)
{
    const struct gl_report_location *l = &((struct rt_report *)report)->r.location;
    if (i > 0 || l->place == GL_PLACE_UNKNOWN)
        return 0;
    *type = place_word(l->place);
    *addr = (void *)(l->place == GL_PLACE_GLOBAL ? l->start : 0);
    *start = l->place == GL_PLACE_HEAP ? l->start : 0;
    *size = l->place == GL_PLACE_HEAP ? l->size : 0;
    *tid = l->place == GL_PLACE_GLOBAL ? 0 : (int)l->thread;
    *fd = l->fd;
    *suppressable = 0;
    copy_stack(&l->allocated_at, trace, trace_size);
    return 1;
}

RT_EXPORT int __tsan_get_report_loc_object_type(void *report, uintptr_t i, const char **type);
RT_EXPORT int __tsan_get_report_loc_object_type(void *report, uintptr_t i, const char **type)
{
    *type = "";
    return i == 0 && ((struct rt_report *)report)->r.location.place != GL_PLACE_UNKNOWN;
}

RT_EXPORT int __tsan_get_report_mutex(void *report, uintptr_t i, uintptr_t *id, void **addr, int *destroyed, void **trace, uintptr_t size);
RT_EXPORT int __tsan_get_report_mutex(void *report, uintptr_t i, uintptr_t *id, void **addr, int *destroyed, void **trace, uintptr_t size)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    if (i >= r->mutexes)
        return 0;
    *id = r->mutex[i].number;
    *addr = (void *)r->mutex[i].address;
    *destroyed = r->mutex[i].destroyed;
    copy_stack(&r->mutex[i].created_at, trace, size);
    return 1;
}

RT_EXPORT int __tsan_get_report_thread(void *report, uintptr_t i, int *tid, int *os_id, int *running, const char **name, int *parent,
                                       void **trace, uintptr_t size);
RT_EXPORT int __tsan_get_report_thread(void *report, uintptr_t i, int *tid, int *os_id, int *running, const char **name, int *parent,
                                       void **trace, uintptr_t size)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    int main_at = main_thread_at(r);
    uintptr_t behind = main_at >= 0 && i > (uintptr_t)main_at;
    bool is_main = main_at >= 0 && i == (uintptr_t)main_at;
    const struct rt_thread *first = rt_thread_by_tid(0);
    struct gl_report_thread of_main = {.os_tid = first ? first->os_tid : 0, .running = true, .parent = GL_REPORT_NO_THREAD};
    if (!is_main && i - behind >= r->threads)
        return 0;
    const struct gl_report_thread *t = is_main ? &of_main : &r->thread[i - behind];
    *tid = (int)t->number;
    *os_id = (int)t->os_tid;
    *running = t->running;
    *name = t->name;
    *parent = (int)t->parent;
    copy_stack(&t->created_at, trace, size);
    return 1;
}

RT_EXPORT int __tsan_get_report_unique_tid(void *report, uintptr_t i, int *tid);
RT_EXPORT int __tsan_get_report_unique_tid(void *report, uintptr_t i, int *tid)
{
    const struct gl_report *r = &((struct rt_report *)report)->r;
    if (i >= r->edges)
        return 0;
    *tid = (int)r->edge[i].thread;
    return 1;
}
