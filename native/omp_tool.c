/* SPDX-License-Identifier: Apache-2.0
 *
 * The tool that clang's OpenMP library (libomp) tells what it does: each callback is turned into the construct of omp.h.
 *
 * What the library does by itself while it waits, locks and the combining of reductions, is not looked at.  Callbacks come
 * where the library's own order makes them right, with one exception: that a lock is released is told after it is, so that the
 * next one may have it already.  A *gate* for each lock makes the next one's callback wait for that.
 */
#include "native/omp.h"
#include "native/ompt.h"

bool rt_omp_tool;

static int (*task_memory)(void **p, size_t *n, int block); /* of the running explicit task, where its own variables are */

/* A callback: t is the calling thread, inside the runtime; caller: of the function that we stand in front of, or 0. */
#define CALLBACK(name, params, ...)                                                                          \
    static void name params                                                                                  \
    {                                                                                                        \
        struct rt_thread *t = rt_enter();                                                                    \
        if (!t)                                                                                              \
            return;                                                                                          \
        uintptr_t caller = rt_tls.omp_caller;                                                                \
        rt_tls.omp_caller = 0; /* what is told here counts */                                                \
        __VA_ARGS__                                                                                          \
        rt_tls.omp_caller = caller;                                                                          \
        rt_leave();                                                                                          \
    }

typedef union ompt_data data;

/* A taskwait with dependences is told as a task, whose word is one for all such waits of its thread, though they may be nested: the library wants to find it empty. */
static struct rt_omp_task *task_of(const data *d)
{
    struct rt_omp_task *waiting = rt_tls.omp_waiting;
    return waiting && waiting->word == d ? waiting : d ? d->ptr : NULL;
}

/* Where the program asked for it; 0: the library gave a place of its own. */
#define place(pc) place_of(caller, (uintptr_t)(pc))
static uintptr_t place_of(uintptr_t caller, uintptr_t pc)
{
    return caller ? caller : rt_openmp_code(pc) ? 0 : pc;
}

/* ---- regions ---- */

/* Each thread ends the regions that it has begun, the last one first.  Not by the region's word: at its end the library may have given that to another thread
 * already, for the next one. */
static void opened(struct rt_thread *t, data *region, uintptr_t pc)
{
    struct rt_omp_team *team = region->ptr = rt_omp_fork(t, pc);
    if (!team)
        return;
    team->outer = rt_tls.omp_opened;
    rt_tls.omp_opened = team;
}

static void closed(struct rt_thread *t, uintptr_t pc)
{
    struct rt_omp_team *team = rt_tls.omp_opened;
    if (!team)
        return;
    rt_tls.omp_opened = team->outer;
    rt_omp_join(t, team, pc);
}

CALLBACK(parallel_begin, (data * task, const void *frame, data *region, unsigned threads, int flags, const void *pc),
         (void)task, (void)frame, (void)threads, (void)flags; opened(t, region, place(pc));)

CALLBACK(parallel_end, (data * region, data *task, int flags, const void *pc), (void)region, (void)task, (void)flags; closed(t, place(pc));)

/* The first one of the program belongs to no region that began. */
static void implicit_begin(struct rt_thread *t, data *region, data *task)
{
    struct rt_omp_team *team = region && region->ptr ? region->ptr : rt_omp_fork(t, 0);
    task->ptr = rt_omp_implicit_begin(t, team, 0);
    if (!region || !region->ptr)
        rt_omp_join(t, team, 0); /* the task holds it */
}

static void implicit_end(struct rt_thread *t, data *task)
{
    rt_omp_implicit_end(t, task->ptr, 0);
    task->ptr = NULL;
}

CALLBACK(implicit_task, (int endpoint, data *region, data *task, unsigned threads, unsigned index, int flags),
         (void)threads, (void)index, (void)flags;
         if (endpoint == OMPT_BEGIN) implicit_begin(t, region, task);
         else implicit_end(t, task);)

/* ---- barriers and other waits ---- */

static bool is_barrier(int kind)
{
    return (kind >= OMPT_BARRIER && kind <= OMPT_BARRIER_IMPLEMENTATION) || (kind >= OMPT_BARRIER_WORKSHARE && kind <= OMPT_BARRIER_TEAMS);
}

static void sync_begin(struct rt_thread *t, int kind, struct rt_omp_task *task, uintptr_t pc)
{
    if (is_barrier(kind))
        rt_omp_arrive(t, task, pc);
    else if (kind == OMPT_TASKGROUP)
        rt_omp_group_begin(task);
}

static void sync_end(struct rt_thread *t, int kind, const data *region, struct rt_omp_task *task, uintptr_t pc)
{
    if (is_barrier(kind))
        rt_omp_passed(t, task, region != NULL, pc); /* NULL: the region is over, this thread was told of it late */
    else if (kind == OMPT_TASKGROUP)
        rt_omp_group_end(t, task, pc);
    else if (kind == OMPT_TASKWAIT)
        rt_omp_taskwait(t, task, pc);
}

CALLBACK(sync_region, (int kind, int endpoint, data *region, data *task, const void *pc),
         if (endpoint & OMPT_BEGIN) sync_begin(t, kind, task_of(task), place(pc));
         if (endpoint & OMPT_END) sync_end(t, kind, region, task_of(task), place(pc));)

/* The wait is over, and the library may combine the group's reductions, with code of the program. */
CALLBACK(sync_region_wait, (int kind, int endpoint, data *region, data *task, const void *pc), (void)region;
         if (kind == OMPT_TASKGROUP && (endpoint & OMPT_END)) rt_omp_group_waited(t, task_of(task), place(pc));)

/* The library combines what threads have reduced, with code of the program, in an order that only it knows. */
CALLBACK(reduction, (int kind, int endpoint, data *region, data *task, const void *pc),
         (void)kind, (void)region, (void)task, (void)pc, (void)t;
         if ((endpoint & OMPT_BEGIN) && rt_tls.ignore_accesses++ == 0) rt_show_key();
         if ((endpoint & OMPT_END) && rt_tls.ignore_accesses && --rt_tls.ignore_accesses == 0) rt_show_key();)

/* ---- tasks ---- */

static void task_made(struct rt_thread *t, const data *parent, data *task, int flags, uintptr_t pc)
{
    if (!(flags & (OMPT_TASK_EXPLICIT | OMPT_TASK_TARGET | OMPT_TASK_TASKWAIT)))
        return;
    struct rt_omp_task *made = rt_omp_task_new(t, task_of(parent), pc);
    if (made && (flags & OMPT_TASK_UNTIED))
        made->pc = 0; /* it comes and goes, and with it the frames of its thread */
    if (made && flags & OMPT_TASK_TASKWAIT) {
        made->word = task;
        made->below = rt_tls.omp_waiting;
        rt_tls.omp_waiting = made;
    } else {
        task->ptr = made;
    }
}

CALLBACK(task_create, (data * parent, const void *frame, data *task, int flags, int depends, const void *pc),
         (void)frame, (void)depends; task_made(t, parent, task, flags, place(pc));)

static bool is_all_memory(int type)
{
    return type == OMPT_OUT_ALL_MEMORY || type == OMPT_INOUT_ALL_MEMORY;
}

static enum rt_omp_kind kind_of(int type)
{
    return type == OMPT_IN               ? RT_OMP_IN
           : type == OMPT_MUTEXINOUTSET ? RT_OMP_EXCLUSIVE
           : type == OMPT_INOUTSET      ? RT_OMP_SET
                                         : RT_OMP_OUT;
}

/* The dependences of a task that was made, or of an iteration of an ordered loop, one number after the other. */
static void depends(struct rt_thread *t, struct rt_omp_task *task, const struct ompt_dependence_item *item, uint32_t n)
{
    if (n == 0)
        return;
    if (item[0].type != OMPT_SOURCE && item[0].type != OMPT_SINK) {
        for (uint32_t i = 0; i < n; i++)
            rt_omp_depends(task, (uintptr_t)item[i].variable.ptr, kind_of(item[i].type), is_all_memory(item[i].type), n);
        return;
    }
    uint64_t *vector = rt_omp_alloc(n * sizeof *vector);
    if (!vector)
        return;
    for (uint32_t i = 0; i < n; i++)
        vector[i] = item[i].variable.value;
    (item[0].type == OMPT_SOURCE ? rt_omp_post : rt_omp_wait)(t, task, vector, n, 0);
    gl_arena_free(vector, n * sizeof *vector);
}

CALLBACK(dependences, (data * task, const struct ompt_dependence_item *item, int n),
         depends(t, task_of(task), item, n > 0 ? (uint32_t)n : 0);)

/* The task's memory goes back to the library, which gives it to the next one, made by any thread. */
static void memory_ends(struct rt_thread *t)
{
    void *p;
    size_t n;
    if (task_memory && task_memory(&p, &n, 0))
        rt_memory_fresh(t, (uintptr_t)p, n);
}

static void leaves(struct rt_thread *t, data *prior, int status)
{
    struct rt_omp_task *task = task_of(prior);
    if (status == OMPT_COMPLETE || status == OMPT_CANCEL || status == OMPT_DETACH)
        rt_omp_task_code_over(task);
    switch (status) {
    case OMPT_COMPLETE:
    case OMPT_CANCEL:
    case OMPT_LATE_FULFILL:
        if (task && !task->implicit) {
            if (status != OMPT_LATE_FULFILL)
                memory_ends(t);
            rt_omp_task_end(t, task, 0);
            prior->ptr = NULL;
        }
        break;
    case OMPT_DETACH:
    case OMPT_EARLY_FULFILL: rt_omp_task_part(t, task, 0); break;
    case OMPT_TASKWAIT_COMPLETE:
        if (!task || task->word != prior)
            break;
        rt_tls.omp_waiting = task->below;
        rt_omp_depend_begin(t, task, 0);
        rt_omp_task_drop(task);
        break;
    default: rt_omp_task_leave(t, task, 0); break;
    }
}

static void goes_on(struct rt_thread *t, int status, struct rt_omp_task *next)
{
    if (status == OMPT_EARLY_FULFILL || status == OMPT_LATE_FULFILL || status == OMPT_TASKWAIT_COMPLETE)
        return; /* nothing is switched */
    rt_omp_task_run(t, next, 0);
    rt_tls.omp = next;
}

CALLBACK(task_schedule, (data * prior, int status, data *next),
         leaves(t, prior, status);
         if (next) goes_on(t, status, next->ptr);)

/* ---- loops ---- */

static bool is_loop(int type)
{
    return type == OMPT_WORK_LOOP || (type >= OMPT_WORK_LOOP_STATIC && type <= OMPT_WORK_LOOP_OTHER);
}

CALLBACK(work, (int type, int endpoint, data *region, data *task, uint64_t count, const void *pc),
         (void)t, (void)region, (void)count, (void)pc;
         if ((endpoint & OMPT_BEGIN) && is_loop(type)) rt_omp_loop_begin(task_of(task), 0);)

/* ---- locks ---- */

enum { FREE, HELD, WANTED }; /* of a gate: the futex word of a synchronization object */

/* Until the release before is recorded.  Outside the runtime meanwhile: signal handlers run. */
static void gate_enter(struct rt_thread *t, uintptr_t id)
{
    for (;;) {
        struct rt_sync *s = rt_sync_lock(t, id, RT_USER, 0);
        if (!s)
            return; /* no memory: checking has stopped */
        uint32_t *word = rt_sync_futex_word(s), was = *word;
        __atomic_store_n(word, was == FREE ? HELD : WANTED, __ATOMIC_RELAXED); /* relaxed: guarded by the object's lock */
        rt_sync_unlock(s);
        if (was == FREE)
            return;
        rt_leave();
        gl_os_futex_wait(word, WANTED, NULL, false);
        (void)rt_enter();
    }
}

static void gate_leave(struct rt_thread *t, uintptr_t id)
{
    struct rt_sync *s = rt_sync_lock(t, id, RT_USER, 0);
    if (!s)
        return;
    uint32_t *word = rt_sync_futex_word(s), was = *word;
    __atomic_store_n(word, FREE, __ATOMIC_RELAXED); /* relaxed: guarded by the object's lock */
    rt_sync_unlock(s);
    if (was == WANTED)
        gl_os_futex_wake(word, INT32_MAX);
}

static void acquired(struct rt_thread *t, int kind, uint64_t id, uintptr_t pc)
{
    if (kind != OMPT_MUTEX_ORDERED) {
        gate_enter(t, id);
        rt_mutex_acquired(t, id, RT_MUTEX, pc);
        return;
    }
    struct rt_omp_loop *loop = rt_omp_loop_of(rt_tls.omp);
    if (loop) {
        gate_enter(t, (uintptr_t)&loop->ordered);
        rt_edge_acquire(t, &loop->ordered, pc);
    }
}

static void released(struct rt_thread *t, int kind, uint64_t id, uintptr_t pc)
{
    if (kind != OMPT_MUTEX_ORDERED) {
        (void)rt_mutex_releasing(t, id, RT_MUTEX, pc);
        gate_leave(t, id);
        return;
    }
    struct rt_omp_loop *loop = rt_omp_loop_of(rt_tls.omp);
    if (loop) {
        rt_edge_release(t, &loop->ordered, pc);
        gate_leave(t, (uintptr_t)&loop->ordered);
    }
}

CALLBACK(mutex_acquired, (int kind, uint64_t id, const void *pc), acquired(t, kind, id, place(pc));)
CALLBACK(mutex_released, (int kind, uint64_t id, const void *pc), released(t, kind, id, place(pc));)
CALLBACK(lock_init, (int kind, unsigned hint, unsigned impl, uint64_t id, const void *pc), (void)kind, (void)hint, (void)impl;
         rt_sync_create(t, id, RT_MUTEX, place(pc));)
CALLBACK(lock_destroy, (int kind, uint64_t id, const void *pc), (void)kind; rt_sync_destroy(t, id, RT_MUTEX, place(pc));
         rt_sync_destroy(t, id, RT_USER, place(pc));)

CALLBACK(flush, (data * thread, const void *pc), (void)thread; if (!rt_tls.ignore_sync) gl_fence(t->core, GL_SC);
         rt_record_fence(t, GL_SC, place(pc));)

/* ---- coming up ---- */

static int initialize(ompt_lookup lookup, int device, data *tool)
{
    static const struct {
        enum ompt_callback event;
        ompt_function function;
    } table[] = {
#define X(event, function) {event, (ompt_function)function}
        X(OMPT_PARALLEL_BEGIN, parallel_begin),
        X(OMPT_PARALLEL_END, parallel_end),
        X(OMPT_IMPLICIT_TASK, implicit_task),
        X(OMPT_SYNC_REGION, sync_region),
        X(OMPT_SYNC_REGION_WAIT, sync_region_wait),
        X(OMPT_REDUCTION, reduction),
        X(OMPT_TASK_CREATE, task_create),
        X(OMPT_TASK_SCHEDULE, task_schedule),
        X(OMPT_DEPENDENCES, dependences),
        X(OMPT_WORK, work),
        X(OMPT_MUTEX_ACQUIRED, mutex_acquired),
        X(OMPT_MUTEX_RELEASED, mutex_released),
        X(OMPT_LOCK_INIT, lock_init),
        X(OMPT_LOCK_DESTROY, lock_destroy),
        X(OMPT_FLUSH, flush),
#undef X
    };
    int (*set)(int event, ompt_function function) = (int (*)(int, ompt_function))lookup("ompt_set_callback");
    (void)device, (void)tool;
    if (!set)
        return 0;
    task_memory = (int (*)(void **, size_t *, int))lookup("ompt_get_task_memory");
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
        set(table[i].event, table[i].function);
    rt_omp_tool = true;
    return 1;
}

static void finalize(data *tool)
{
    (void)tool;
}

/* The library asks whether there is a tool.  Weak: a program may bring its own. */
RT_EXPORT __attribute__((weak)) struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *runtime);
RT_EXPORT __attribute__((weak)) struct ompt_start_tool_result *ompt_start_tool(unsigned version, const char *runtime)
{
    static struct ompt_start_tool_result result = {.initialize = initialize, .finalize = finalize};
    (void)version, (void)runtime;
    struct rt_thread *t = rt_enter();
    if (!t)
        return NULL;
    rt_openmp_library(RT_LIBOMP, RT_CALLER());
    rt_leave();
    return &result;
}
