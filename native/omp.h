/* SPDX-License-Identifier: Apache-2.0
 *
 * What OpenMP orders: regions, barriers, tasks, groups, dependences, ordered loops.
 *
 * Two front ends tell of them: intercept_gomp*.c stand in front of the functions that gcc's programs call (libgomp), and
 * omp_tool.c is a tool (OMPT, OpenMP 5.2 chapter 19) of clang's library (libomp).  Both say what a program's *task* does, here
 * it becomes sources and sinks.  Threads stay threads: two tasks that the same thread ran are ordered (docs/openmp.md).
 *
 * The order is OpenMP's and nothing else: how the library makes it, with locks and condition variables, is not looked at
 * (rt_openmp_code()).
 *
 * All functions are for a thread inside the runtime.  A task or team may be NULL (the thread runs outside any region, or memory
 * ran out, which stops the checking): then they do nothing.  pc: the place in the program, 0: not known.
 */
#ifndef GL_NATIVE_OMP_H
#define GL_NATIVE_OMP_H

#include "native/chains.h"
#include "native/record.h"

/* ---- the libraries ---- */

enum rt_omp_library { RT_LIBGOMP, RT_LIBOMP, RT_OMP_LIBRARIES };
/* Is pc in an OpenMP library, or the calling thread in one of its functions?  What is called there is the library's own business:
 * neither order nor accesses of the program.  Both are asked, since a function that ends with a call leaves no trace of itself. */
extern bool rt_openmp_used; /* there is such a library */
bool rt_openmp_code_too(uintptr_t pc);
static inline bool rt_openmp_code(uintptr_t pc)
{
    return RT_UNLIKELY(__atomic_load_n(&rt_openmp_used, __ATOMIC_RELAXED)) && rt_openmp_code_too(pc); /* relaxed: see rt_openmp_library() */
}
/* The library with code at pc is this one.  Takes the dynamic linker's lock. */
void rt_openmp_library(enum rt_omp_library which, uintptr_t pc);

/* ---- edges ---- */

/* A merged object: who acquires comes after all who released. */
struct rt_edge {
    struct gl_spin lock;
    struct rt_recorded record;
    struct gl_sync sync; /* guarded by lock */
};
void rt_edge_release(struct rt_thread *t, struct rt_edge *e, uintptr_t pc);
void rt_edge_acquire(struct rt_thread *t, struct rt_edge *e, uintptr_t pc);
void rt_edge_free(struct rt_edge *e); /* nobody uses it any more */

/* Memory for all below, zeroed.  NULL: none left; it is counted, and checking has stopped. */
void *rt_omp_alloc(size_t n);

/* ---- regions ---- */

/* An instance of an ordered loop in a region. */
struct rt_omp_loop {
    struct rt_omp_loop *next;
    uint32_t number;        /* of such loops before it in the region */
    struct rt_edge ordered; /* the end of each ordered block, the beginning of the next */
    struct gl_spin lock;    /* guards the posts */
    struct rt_chains posts;
};

struct rt_omp_team {
    uint32_t refs;             /* atomic: the region and its implicit tasks */
    struct rt_thread *opener;  /* runs one of its tasks */
    struct rt_omp_team *outer; /* that its opener had opened before, under libomp */
    uintptr_t pc;              /* where it was opened */
    struct rt_edge fork;       /* who opened it comes before all tasks */
    struct rt_edge barrier[2]; /* by parity of the phase */
    struct rt_edge join;       /* all come before who opened it goes on */
    struct gl_spin lock;       /* guards loops */
    struct rt_omp_loop *loops; /* newest first */
};

struct rt_omp_group {
    uint32_t refs; /* atomic: while open, and its tasks */
    struct rt_edge ends;
    struct rt_omp_group *outer;
};

struct rt_omp_task {
    uint32_t refs; /* atomic: until it has ended, and its children */
    uint32_t phase;               /* barriers that its team passed before it: now, or when an explicit task was made */
    uint32_t loops;               /* ordered loops that it has begun */
    uint32_t dims;                /* of the last of them, when it has dependences between iterations */
    bool implicit, started;
    bool at_once;                 /* its parent's thread runs it where it is made, and nobody else */
    bool framed;                  /* its place is on the shadow call stack of the thread that runs it */
    uintptr_t pc;                 /* where it was made, as the outermost line of its stacks; 0: not shown */
    struct rt_omp_team *team;
    struct rt_omp_task *parent;   /* NULL of implicit tasks */
    struct rt_omp_task *outer;    /* that its thread was in, of implicit tasks */
    struct rt_omp_task *below;    /* of one that stands for a wait: that for the wait in which it is; see rt_tls.omp_waiting */
    const void *word;             /* and where the library keeps its data */
    struct rt_omp_group *within;  /* that waits for it */
    struct rt_omp_group *group;   /* innermost open one: of its children */
    struct rt_edge made;          /* before it begins, or goes on */
    struct rt_edge children;      /* their ends */
    struct rt_omp_places *places; /* on which its children depend */
    struct rt_omp_dep *deps;      /* of its own */
    uint32_t n_deps, most_deps;
};

/* The calling thread opens a region; the team is dropped by rt_omp_join(), when all its tasks are over. */
struct rt_omp_team *rt_omp_fork(struct rt_thread *t, uintptr_t pc);
void rt_omp_join(struct rt_thread *t, struct rt_omp_team *team, uintptr_t pc);

/* The calling thread begins an implicit task of the team, which becomes rt_tls.omp; at its end that is what it was before. */
struct rt_omp_task *rt_omp_implicit_begin(struct rt_thread *t, struct rt_omp_team *team, uintptr_t pc);
void rt_omp_implicit_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);

/* Before and after a barrier of the task's team.  complete: all arrived; a cancelled one orders nothing. */
void rt_omp_arrive(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_passed(struct rt_thread *t, struct rt_omp_task *task, bool complete, uintptr_t pc);

/* ---- explicit tasks (omp_task.c) ---- */

/* Made by the running task `parent`.  It lives until rt_omp_task_end() or rt_omp_task_drop(). */
struct rt_omp_task *rt_omp_task_new(struct rt_thread *t, struct rt_omp_task *parent, uintptr_t pc);
/* The same of an undeferred one (`if(0)`), without dependences or an event: no order is made by it that is not its parent's. */
struct rt_omp_task *rt_omp_task_at_once(struct rt_omp_task *parent, uintptr_t pc);
/* The calling thread begins it or goes on with it; it leaves it, to be gone on with by any thread; its code is over, which is
 * told before the rest. */
void rt_omp_task_run(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_task_leave(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_task_code_over(struct rt_omp_task *task);
/* It is complete: comes before all that waits for it.  Of a task that waits for an event, both the end of its code and the event
 * are parts of that, by the threads that do them; the later one is the end. */
void rt_omp_task_part(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_task_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
/* It never ran, or stands for a wait: nobody waits for it. */
void rt_omp_task_drop(struct rt_omp_task *task);
void rt_omp_task_unref(struct rt_omp_task *task); /* the last one frees */

/* After it waited for all its children. */
void rt_omp_taskwait(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
/* The task opens a group; all tasks of the innermost one are complete; it is closed. */
void rt_omp_group_begin(struct rt_omp_task *task);
void rt_omp_group_waited(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_group_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);

/* ---- dependences (omp_depend.c) ---- */

enum rt_omp_kind { RT_OMP_IN, RT_OMP_OUT, RT_OMP_EXCLUSIVE /* mutexinoutset */, RT_OMP_SET /* inoutset */ };

/* Of a task that is not begun; by the thread that runs its parent, in the order in which tasks are made.  all: on all memory. */
void rt_omp_depends(struct rt_omp_task *task, uintptr_t addr, enum rt_omp_kind kind, bool all, uint32_t most);
void rt_omp_depend_begin(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc); /* it comes after those it waited for */
void rt_omp_depend_end(struct rt_thread *t, struct rt_omp_task *task, uintptr_t pc);
void rt_omp_depend_free(struct rt_omp_task *task);
void rt_omp_places_free(struct rt_omp_task *task);

/* ---- ordered loops (omp_loop.c) ---- */

/* The task begins an ordered loop (all tasks of a team begin the same ones); dims: of the iteration vectors, 0: none. */
void rt_omp_loop_begin(struct rt_omp_task *task, uint32_t dims);
/* The one that it is in; NULL: none, or no memory. */
struct rt_omp_loop *rt_omp_loop_of(const struct rt_omp_task *task);
/* An iteration is complete for others, and was waited for. */
void rt_omp_post(struct rt_thread *t, struct rt_omp_task *task, const uint64_t *vector, uint32_t dims, uintptr_t pc);
void rt_omp_wait(struct rt_thread *t, struct rt_omp_task *task, const uint64_t *vector, uint32_t dims, uintptr_t pc);
/* Of the team, those with a smaller number: nobody is in them any more. */
void rt_omp_loops_free(struct rt_omp_team *team, uint32_t before);

/* ---- the tool (omp_tool.c) ---- */

/* libomp tells of everything itself: nothing is done at the functions it shares with libgomp. */
extern bool rt_omp_tool;

/* A place as an outer line of the calling thread's stacks: libraries are not instrumented, and the function that the compiler made of a
 * region or task says little without it. */
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);

#endif
