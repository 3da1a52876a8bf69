/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc's OpenMP: tasks, the waits for them, and events (see intercept_gomp.c).
 *
 * libgomp copies a task's data and later calls its function with the copy.  We give it data of our own, a block that begins with what
 * we need and ends with the program's, and functions of ours that copy it and run it.  The first words of the
 * block are where libgomp looks at or changes the data: the bounds of a part of a taskloop, the handle of an event.
 *
 *     struct block: head[3], function, task ... | padding | the program's data
 */
#include "native/intercept_gomp.h"

#include <stdalign.h>
#include <stddef.h>

/* ---- what libgomp's flags mean ---- */

enum { FLAG_DEPEND = 1 << 3, FLAG_NOGROUP = 1 << 11, FLAG_REDUCTION = 1 << 12, FLAG_DETACH = 1 << 13 };

enum { DEPOBJ_IN = 1, DEPOBJ_OUT = 2, DEPOBJ_INOUT = 3, DEPOBJ_MUTEXINOUTSET = 4, DEPOBJ_INOUTSET = 5 };

/* ---- dependences, as the compiler lists them ---- */

static enum rt_omp_kind kind_of(uintptr_t depobj)
{
    return depobj == DEPOBJ_IN                ? RT_OMP_IN
           : depobj == DEPOBJ_MUTEXINOUTSET ? RT_OMP_EXCLUSIVE
           : depobj == DEPOBJ_INOUTSET      ? RT_OMP_SET
                                              : RT_OMP_OUT;
}

/* Either the number of addresses, of those that are written, and them, the written ones first; or 0 and
 * five numbers: all, written, mutexinoutset, read; the rest are objects with an address and a kind. */
static void depends(struct rt_omp_task *task, void *const *list)
{
    uintptr_t n = (uintptr_t)list[0], out = (uintptr_t)list[1], exclusive = 0, in = n - out;
    void *const *at = list + 2;
    if (n == 0) {
        n = (uintptr_t)list[1], out = (uintptr_t)list[2], exclusive = (uintptr_t)list[3], in = (uintptr_t)list[4];
        at = list + 5;
    }
    for (uintptr_t i = 0; i < n; i++) {
        uintptr_t addr = (uintptr_t)at[i];
        enum rt_omp_kind kind = i < out ? RT_OMP_OUT : i < out + exclusive ? RT_OMP_EXCLUSIVE : RT_OMP_IN;
        if (i >= out + exclusive + in) {
            const uintptr_t *object = at[i];
            addr = object[0], kind = kind_of(object[1]);
        }
        rt_omp_depends(task, addr, kind, addr == 0 && kind == RT_OMP_OUT, (uint32_t)n); /* 0: omp_all_memory */
    }
}

/* ---- events ---- */

/* A task that waits for one, by the handle that libgomp made for it.  Three must be done with it: who made the task, its code, and who
 * fulfils the event; the task is complete after the last two. */
struct waiting {
    struct waiting *next;
    uintptr_t handle; /* 0: not known yet */
    struct rt_omp_task *task;
    bool begun, made, over, fulfilled; /* its code, its making, its code, the event */
};
static struct {
    struct gl_spin lock; /* guards the list and what is in it */
    struct waiting *first;
} events;

static struct waiting *event_new(struct rt_omp_task *task)
{
    struct waiting *w = rt_omp_alloc(sizeof *w);
    if (w) {
        w->task = task;
        gl_spin_lock(&events.lock);
        w->next = events.first;
        events.first = w;
        gl_spin_unlock(&events.lock);
    }
    return w;
}

/* Under the lock. */
static void event_free_if_over(struct waiting *w)
{
    if (!w->made || !w->over || !w->fulfilled)
        return;
    struct waiting **link = &events.first;
    while (*link != w)
        link = &(*link)->next;
    *link = w->next;
    gl_arena_free(w, sizeof *w);
}

/* The task's code begins, with this handle. */
static void event_begins(struct waiting *w, uintptr_t handle)
{
    gl_spin_lock(&events.lock);
    w->handle = handle;
    w->begun = true;
    gl_spin_unlock(&events.lock);
}

/* libgomp has made the task.  Once its code has begun the handle may be another task's already. */
static void event_made(struct waiting *w, uintptr_t handle)
{
    gl_spin_lock(&events.lock);
    if (!w->begun)
        w->handle = handle;
    w->made = true;
    event_free_if_over(w);
    gl_spin_unlock(&events.lock);
}

/* The calling thread has done one half of what completes the task. */
static void event_half(struct rt_thread *t, struct waiting *w, bool *half, const bool *other, uintptr_t pc)
{
    struct rt_omp_task *task = w->task;
    rt_omp_task_part(t, task, pc);
    gl_spin_lock(&events.lock);
    *half = true;
    bool last = *other;
    event_free_if_over(w);
    gl_spin_unlock(&events.lock);
    if (last)
        rt_omp_task_drop(task);
}

static void event_fulfilled(struct rt_thread *t, uintptr_t handle, uintptr_t pc)
{
    gl_spin_lock(&events.lock);
    struct waiting *w = events.first;
    while (w && (w->handle != handle || w->fulfilled))
        w = w->next;
    gl_spin_unlock(&events.lock);
    if (w) /* stays: nobody else fulfils it */
        event_half(t, w, &w->fulfilled, &w->over, pc);
}

GOMP_INTERCEPT(void, omp_fulfill_event, (uintptr_t handle))
{
    uintptr_t pc = RT_CALLER();
    if (!rt_omp_tool)
        RT_RECORD(t, event_fulfilled(t, handle, pc));
    GOMP_CALL(pc, GOMP_REAL(omp_fulfill_event)(handle));
}
/* Fortran's, by value as well. */
RT_ALIAS(omp_fulfill_event_, omp_fulfill_event);

/* ---- tasks ---- */

struct block {
    void *head[3]; /* libgomp's */
    void (*function)(void *);
    void (*copy)(void *to, void *from); /* the program's; NULL: bytes */
    void *from;                         /* the program's data, while the task is made */
    void **depend;                      /* while it is made; NULL: none */
    struct waiting **event;             /* while it is made: where to say which it is; NULL: it waits for none */
    struct waiting *waiting;
    struct rt_omp_task *task;
    uintptr_t pc;
    size_t offset, size; /* of the program's data in the block */
    size_t changed;      /* bytes of it that libgomp changes, in head */
    bool at_once;        /* undeferred, and nothing else depends on it */
};

/* A call of memcpy would be the program's. */
static void copy_bytes(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((char *)to)[i] = ((const char *)from)[i];
}

static void *data_of(struct block *b)
{
    return (char *)b + b->offset;
}

/* A task is made, by the thread that meets it: libgomp has `to` for its data. */
static void copy_block(void *to, void *model)
{
    struct block *b = to;
    struct rt_omp_task *parent = rt_gomp_task();
    copy_bytes(b, model, sizeof *b);
    if (b->copy)
        GOMP_CALL(0, b->copy(data_of(b), b->from));
    else
        copy_bytes(data_of(b), b->from, b->size);
    RT_RECORD(
        t, b->task = b->at_once ? rt_omp_task_at_once(parent, b->pc) : rt_omp_task_new(t, parent, b->pc);
        if (b->task && b->depend) depends(b->task, b->depend);
        if (b->task && b->event) *b->event = b->waiting = event_new(b->task));
}

static void run_block(void *block)
{
    struct block *b = block;
    struct rt_omp_task *outer = rt_tls.omp, *task = b->task;
    struct waiting *waiting = b->waiting;
    uintptr_t pc = b->pc;
    copy_bytes(data_of(b), b->head, b->changed);
    RT_RECORD(t, rt_omp_task_run(t, task, pc); if (waiting) event_begins(waiting, (uintptr_t)b->head[0]); rt_tls.omp = task);
    GOMP_CALL(0, b->function(data_of(b)));
    RT_RECORD(t, rt_omp_task_code_over(task); rt_tls.omp = outer;
              if (waiting) event_half(t, waiting, &waiting->over, &waiting->fulfilled, pc);
              else rt_omp_task_end(t, task, pc));
}

#define MADE_OF                                                                                              \
    void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags
#define ALIGN(align) ((size_t)(align) > alignof(max_align_t) ? (size_t)(align) : alignof(max_align_t))

/* heads: words of the program's data that libgomp looks at. */
static struct block block_of(MADE_OF, size_t heads, uintptr_t pc)
{
    struct block b = {.function = function, .copy = copy, .from = data, .size = (size_t)size, .pc = pc};
    size_t a = ALIGN(align), changed = flags & FLAG_DETACH ? sizeof(void *) : heads ? 2 * sizeof(void *) : 0;
    b.offset = (sizeof b + a - 1) / a * a;
    b.changed = changed < b.size ? changed : b.size;
    heads = heads * sizeof(void *) < b.size ? heads * sizeof(void *) : b.size;
    copy_bytes(b.head, data, heads);
    return b;
}

GOMP_INTERCEPT(void, GOMP_task,
               (void (*function)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool deferred,
                unsigned flags, void **depend, int priority, void **handle))
{
    __typeof(&GOMP_task) real = GOMP_REAL(GOMP_task);
    if (!rt_gomp_task()) { /* outside any region it runs at once */
        real(function, data, copy, size, align, deferred, flags, depend, priority, handle);
        return;
    }
    struct block b = block_of(function, data, copy, size, align, flags, 0, RT_CALLER());
    struct waiting *waiting = NULL;
    b.depend = flags & FLAG_DEPEND ? depend : NULL;
    b.event = flags & FLAG_DETACH ? &waiting : NULL;
    b.at_once = !deferred && !(flags & (FLAG_DEPEND | FLAG_DETACH));
    GOMP_CALL(b.pc, real(run_block, &b, copy_block, (long)(b.offset + b.size), (long)ALIGN(align), deferred, flags, depend, priority,
                         handle));
    if (waiting)
        RT_RECORD(t, (void)t; event_made(waiting, (uintptr_t)*handle));
}

#define TASKLOOP(name, type)                                                                                 \
    GOMP_INTERCEPT(void, name,                                                                               \
                   (MADE_OF, unsigned long tasks, int priority, type start, type end, type step))            \
    {                                                                                                        \
        __typeof(&name) real = GOMP_REAL(name);                                                              \
        uintptr_t pc = RT_CALLER();                                                                          \
        struct rt_omp_task *task = rt_gomp_task();                                                           \
        if (!task) {                                                                                         \
            real(function, data, copy, size, align, flags, tasks, priority, start, end, step);               \
            return;                                                                                          \
        }                                                                                                    \
        struct block b = block_of(function, data, copy, size, align, flags, 3, pc);                          \
        bool group = !(flags & FLAG_NOGROUP);                                                                \
        if (group)                                                                                           \
            RT_RECORD(t, (void)t; rt_omp_group_begin(task));                                                 \
        GOMP_CALL(pc, real(run_block, &b, copy_block, (long)(b.offset + b.size), (long)ALIGN(align), flags, tasks, priority, \
                           start, end, step));                                                               \
        if (group)                                                                                           \
            RT_RECORD(t, rt_omp_group_end(t, task, pc));                                                     \
    }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long)

/* ---- waits ---- */

GOMP_INTERCEPT(void, GOMP_taskwait, (void))
{
    uintptr_t pc = RT_CALLER();
    GOMP_CALL(pc, GOMP_REAL(GOMP_taskwait)());
    struct rt_omp_task *task = rt_gomp_task();
    if (task)
        RT_RECORD(t, rt_omp_taskwait(t, task, pc));
}

static void nothing(void *data) { (void)data; }

/* Of gcc 13 and later.  An empty task with these dependences, which nobody waits for here. */
RT_EXPORT void GOMP_taskwait_depend_nowait(void **depend);
RT_EXPORT void GOMP_taskwait_depend_nowait(void **depend) { GOMP_task(nothing, NULL, NULL, 0, 1, true, FLAG_DEPEND, depend, 0, NULL); }

/* As an empty task with these dependences would wait. */
GOMP_INTERCEPT(void, GOMP_taskwait_depend, (void **depend))
{
    uintptr_t pc = RT_CALLER();
    struct rt_omp_task *parent = rt_gomp_task(), *wait = NULL;
    if (parent)
        RT_RECORD(t, wait = rt_omp_task_new(t, parent, pc); if (wait) depends(wait, depend));
    GOMP_CALL(pc, GOMP_REAL(GOMP_taskwait_depend)(depend));
    if (wait)
        RT_RECORD(t, rt_omp_depend_begin(t, wait, pc); rt_omp_task_drop(wait));
}

GOMP_INTERCEPT(void, GOMP_taskgroup_start, (void))
{
    GOMP_REAL(GOMP_taskgroup_start)();
    struct rt_omp_task *task = rt_gomp_task();
    if (task)
        RT_RECORD(t, (void)t; rt_omp_group_begin(task));
}

GOMP_INTERCEPT(void, GOMP_taskgroup_end, (void))
{
    uintptr_t pc = RT_CALLER();
    GOMP_CALL(pc, GOMP_REAL(GOMP_taskgroup_end)());
    struct rt_omp_task *task = rt_gomp_task();
    if (task)
        RT_RECORD(t, rt_omp_group_end(t, task, pc));
}

/* ---- memory of libomp's tasks ---- */

/* libomp gives the memory of a task that ended to the next one, made by any thread; here it is made, before the program writes its
 * data there. */
#define ALLOCATES(name, params, args)                                                                        \
    GOMP_INTERCEPT(void *, name, params)                                                                     \
    {                                                                                                        \
        char *task = GOMP_REAL(name) args;                                                                   \
        if (rt_omp_tool && task)                                                                             \
            RT_RECORD(t, rt_memory_fresh(t, (uintptr_t)task, (size + 7) / 8 * 8 + shareds));                 \
        return task;                                                                                         \
    }
ALLOCATES(__kmpc_omp_task_alloc, (void *loc, int thread, int flags, size_t size, size_t shareds, void *entry),
          (loc, thread, flags, size, shareds, entry))
ALLOCATES(__kmpc_omp_target_task_alloc, (void *loc, int thread, int flags, size_t size, size_t shareds, void *entry, int64_t device),
          (loc, thread, flags, size, shareds, entry, device))

/* ---- reductions of tasks in libomp ---- */

/* `reduction(task, op: x)`: the first thread there makes the copies of all, and the last one to leave combines them, with code of the program, in an order that
 * only the library knows and tells no tool. */
#define WITHOUT_LOOKING(call)                                                                                \
    do {                                                                                                     \
        if (rt_tls.ignore_accesses++ == 0)                                                                   \
            rt_show_key();                                                                                   \
        call;                                                                                                \
        if (--rt_tls.ignore_accesses == 0)                                                                   \
            rt_show_key();                                                                                   \
    } while (0)

#define MAKES_COPIES(name)                                                                                   \
    GOMP_INTERCEPT(void *, name, (void *loc, int thread, int is_loop, int n, void *data))                    \
    {                                                                                                        \
        void *r;                                                                                             \
        WITHOUT_LOOKING(r = GOMP_REAL(name)(loc, thread, is_loop, n, data));                                 \
        return r;                                                                                            \
    }
MAKES_COPIES(__kmpc_taskred_modifier_init)
MAKES_COPIES(__kmpc_task_reduction_modifier_init)

GOMP_INTERCEPT(void, __kmpc_task_reduction_modifier_fini, (void *loc, int thread, int is_loop))
{
    WITHOUT_LOOKING(GOMP_REAL(__kmpc_task_reduction_modifier_fini)(loc, thread, is_loop));
}
