/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's regions and barriers (omp.h).
 *
 * A barrier is two objects by parity of its number in the region.  Nobody releases into one of them for barrier n+2 before all
 * have passed barrier n+1, and so all have acquired what was released for n; and what n ordered comes before n+2 anyway, so that
 * nothing need be cleared.  A task that ends releases for the barrier that waits for it, which is the one after the phase in
 * which it was made: the thread that runs it may still be in the barrier before (docs/concurrency.md).
 */
#include "native/omp.h"

#include "core/atomic.h"
#include "symbol/dynamic.h"

bool rt_openmp_used;

static struct {
    uintptr_t lo, size;
} code_of[RT_OMP_LIBRARIES];

bool rt_openmp_code_too(uintptr_t pc)
{
    bool inside = rt_tls.omp_caller != 0;
    for (unsigned i = 0; i < RT_OMP_LIBRARIES && !inside; i++)
        inside = pc - __atomic_load_n(&code_of[i].lo, __ATOMIC_RELAXED) <
                 __atomic_load_n(&code_of[i].size, __ATOMIC_RELAXED); /* relaxed: see rt_openmp_library() */
    return inside;
}

/* What a thread does in the library comes after its first call of it, or after this in the thread that brought it up.  Until the
 * words are seen, nothing lies inside; with one of them still old, neither. */
void rt_openmp_library(enum rt_omp_library which, uintptr_t pc)
{
    uintptr_t lo;
    size_t size;
    __atomic_store_n(&rt_openmp_used, true, __ATOMIC_RELAXED);
    if (code_of[which].size || !gl_module_span(pc, &lo, &size) || (uintptr_t)&rt - lo < size)
        return; /* in one with us: then its code cannot be told from the program's */
    __atomic_store_n(&code_of[which].lo, lo, __ATOMIC_RELAXED);
    __atomic_store_n(&code_of[which].size, size, __ATOMIC_RELEASE);
}

/* ---- edges ---- */

void rt_edge_release(struct rt_thread *t, struct rt_edge *e, uintptr_t pc)
{
    if (rt_tls.ignore_sync)
        return;
    gl_spin_lock(&e->lock);
    gl_source(t->core, &e->sync, false, 0);
    rt_record_edge(t, GL_OP_POST, &e->record, RT_USER, (uintptr_t)e, pc);
    gl_spin_unlock(&e->lock);
}

void rt_edge_acquire(struct rt_thread *t, struct rt_edge *e, uintptr_t pc)
{
    if (rt_tls.ignore_sync)
        return;
    gl_spin_lock(&e->lock);
    if (e->sync.version) { /* else nobody released */
        gl_sink(t->core, &e->sync);
        rt_record_edge(t, GL_OP_WAIT, &e->record, RT_USER, (uintptr_t)e, pc);
    }
    gl_spin_unlock(&e->lock);
}

void rt_edge_free(struct rt_edge *e)
{
    gl_sync_free(rt.core, &e->sync);
}

void *rt_omp_alloc(size_t n)
{
    void *p = gl_arena_alloc(n);
    if (!p) {
        rt_count(RT_COUNT_sync_no_memory);
        gl_core_stop(rt.core);
    }
    return p;
}

/* ---- regions ---- */

static void team_unref(struct rt_omp_team *team)
{
    if (__atomic_sub_fetch(&team->refs, 1, __ATOMIC_ACQ_REL)) /* pairs with itself: the last one sees all */
        return;
    rt_omp_loops_free(team, UINT32_MAX);
    rt_edge_free(&team->fork);
    rt_edge_free(&team->barrier[0]);
    rt_edge_free(&team->barrier[1]);
    rt_edge_free(&team->join);
    gl_arena_free(team, sizeof *team);
}

struct rt_omp_team *rt_omp_fork(struct rt_thread *t, uintptr_t pc)
{
    struct rt_omp_team *team = rt_omp_alloc(sizeof *team);
    if (!team)
        return NULL;
    team->refs = 1;
    team->opener = t;
    team->pc = pc;
    if (pc)
        __tsan_func_entry((void *)pc);
    rt_edge_release(t, &team->fork, pc);
    return team;
}

void rt_omp_join(struct rt_thread *t, struct rt_omp_team *team, uintptr_t pc)
{
    if (!team)
        return;
    rt_edge_acquire(t, &team->join, pc);
    rt_edge_acquire(t, &team->barrier[0], pc); /* tasks that ran in the barrier at the end */
    rt_edge_acquire(t, &team->barrier[1], pc);
    if (team->pc)
        __tsan_func_exit();
    team_unref(team);
}

struct rt_omp_task *rt_omp_implicit_begin(struct rt_thread *t, struct rt_omp_team *team, uintptr_t pc)
{
    struct rt_omp_task *task = team ? rt_omp_alloc(sizeof *task) : NULL;
    if (!task)
        return NULL;
    __atomic_add_fetch(&team->refs, 1, __ATOMIC_RELAXED); /* relaxed: the region's own is held */
    task->refs = 1;
    task->implicit = true;
    task->team = team;
    task->outer = rt_tls.omp;
    rt_tls.omp = task;
    task->framed = team->pc && team->opener != t;
    if (task->framed)
        __tsan_func_entry((void *)team->pc);
    rt_edge_acquire(t, &team->fork, pc);
    return task;
}

void rt_omp_implicit_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (!task)
        return;
    rt_edge_release(t, &task->team->join, pc);
    rt_tls.omp = task->outer;
    if (task->framed)
        __tsan_func_exit();
    rt_omp_task_unref(task);
}

void rt_omp_arrive(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task)
        rt_edge_release(t, &task->team->barrier[task->phase % 2], pc);
}

void rt_omp_passed(struct rt_thread *t, struct rt_omp_task *task, bool complete, uintptr_t pc)
{
    if (!task || !complete)
        return;
    rt_edge_acquire(t, &task->team->barrier[task->phase % 2], pc);
    task->phase++;
    if (__atomic_load_n(&task->team->loops, __ATOMIC_RELAXED)) /* relaxed: one that is being made is not freed here */
        rt_omp_loops_free(task->team, task->loops + 1);        /* all have arrived, so all have left those before */
}

/* ---- the end of tasks of both kinds ---- */

void rt_omp_task_unref(struct rt_omp_task *task)
{
    while (task && __atomic_sub_fetch(&task->refs, 1, __ATOMIC_ACQ_REL) == 0) { /* pairs with itself */
        struct rt_omp_task *parent = task->parent;
        rt_omp_places_free(task);
        rt_omp_depend_free(task);
        rt_edge_free(&task->made);
        rt_edge_free(&task->children);
        if (task->implicit)
            team_unref(task->team);
        gl_arena_free(task, sizeof *task);
        task = parent;
    }
}
