/* SPDX-License-Identifier: Apache-2.0
 *
 * OpenMP's explicit tasks and the waits for them (omp.h).
 *
 * The end of a task is released once for each that may wait for it: its parent (taskwait waits for children, not for
 * grandchildren), the group in which it was made, the barrier of its team, and the tasks that depend on it.  Each of them is
 * acquired when the library says that the wait is over, and by then holds the ends of just those tasks that were waited for, so
 * that nothing is ordered too much: a child, or a task of the group, that is made after the wait cannot have ended before it.
 */
#include "native/omp.h"

static struct rt_omp_task *task_new(struct rt_omp_task *parent, uintptr_t pc)
{
    struct rt_omp_task *task = parent ? rt_omp_alloc(sizeof *task) : NULL;
    if (!task)
        return NULL;
    __atomic_add_fetch(&parent->refs, 1, __ATOMIC_RELAXED); /* relaxed: the parent runs, so it is held */
    task->refs = 1;
    task->parent = parent;
    task->team = parent->team;
    task->phase = parent->phase;
    task->pc = pc;
    task->within = task->group = parent->group;
    if (task->within)
        __atomic_add_fetch(&task->within->refs, 1, __ATOMIC_RELAXED); /* relaxed: it is open */
    return task;
}

struct rt_omp_task *rt_omp_task_new(struct rt_thread *t, struct rt_omp_task *parent, uintptr_t pc)
{
    struct rt_omp_task *task = task_new(parent, pc);
    if (task)
        rt_edge_release(t, &task->made, pc);
    return task;
}

struct rt_omp_task *rt_omp_task_at_once(struct rt_omp_task *parent, uintptr_t pc)
{
    struct rt_omp_task *task = task_new(parent, pc);
    if (task)
        task->at_once = true;
    return task;
}

static void group_unref(struct rt_omp_group *group)
{
    if (__atomic_sub_fetch(&group->refs, 1, __ATOMIC_ACQ_REL)) /* pairs with itself */
        return;
    rt_edge_free(&group->ends);
    gl_arena_free(group, sizeof *group);
}

void rt_omp_task_run(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (!task || task->implicit)
        return;
    rt_edge_acquire(t, &task->made, pc);
    if (task->started)
        return;
    task->started = true; /* by one thread after another: the library hands the task on */
    rt_omp_depend_begin(t, task, pc);
    task->framed = task->pc != 0;
    if (task->framed)
        __tsan_func_entry((void *)task->pc);
}

void rt_omp_task_code_over(struct rt_omp_task *task)
{
    if (task && !task->implicit && task->framed)
        __tsan_func_exit();
}

void rt_omp_task_leave(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task && !task->implicit)
        rt_edge_release(t, &task->made, pc);
}

void rt_omp_task_drop(struct rt_omp_task *task)
{
    if (!task || task->implicit)
        return;
    if (task->within)
        group_unref(task->within);
    rt_omp_task_unref(task);
}

/* The calling thread's history is part of what completes it. */
static void completes(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task->at_once) /* its end is in its parent's program order, and so in whatever the parent does for the same waits later */
        return;
    rt_omp_depend_end(t, task, pc);
    rt_edge_release(t, &task->parent->children, pc);
    if (task->within)
        rt_edge_release(t, &task->within->ends, pc);
    rt_edge_release(t, &task->team->barrier[task->phase % 2], pc);
}

void rt_omp_task_part(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task && !task->implicit)
        completes(t, task, pc);
}

void rt_omp_task_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    rt_omp_task_part(t, task, pc);
    rt_omp_task_drop(task);
}

void rt_omp_taskwait(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task)
        rt_edge_acquire(t, &task->children, pc);
}

void rt_omp_group_begin(struct rt_omp_task *task)
{
    struct rt_omp_group *group = task ? rt_omp_alloc(sizeof *group) : NULL;
    if (!group)
        return;
    group->refs = 1;
    group->outer = task->group;
    task->group = group;
}

void rt_omp_group_waited(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (task && task->group != task->within)
        rt_edge_acquire(t, &task->group->ends, pc);
}

void rt_omp_group_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc)
{
    if (!task || task->group == task->within)
        return; /* it was not opened, for want of memory */
    struct rt_omp_group *group = task->group;
    rt_edge_acquire(t, &group->ends, pc);
    task->group = group->outer;
    group_unref(group);
}
