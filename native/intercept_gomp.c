/* SPDX-License-Identifier: Apache-2.0
 *
 * gcc's OpenMP: what a compiled program calls in libgomp for regions, barriers, critical sections, ordered loops and locks; its
 * tasks are in intercept_gomp_task.c.
 *
 * A region's function is called through one of ours, which runs in each thread of the team and so knows where its implicit task
 * begins and ends.  Handing out the iterations of a loop, or sections, orders nothing, so those functions are not intercepted.
 */
#include "native/intercept_gomp.h"

#include <stdarg.h>

#include "native/misuse.h"

void *rt_gomp_real(void **slot, const char *name)
{
    void *real = __atomic_load_n(slot, __ATOMIC_ACQUIRE); /* pairs with the store below: the library is known */
    if (RT_LIKELY(real))
        return real;
    int saved = errno;
    real = rt_real_find(name);
    if (!real)
        real = rt_real_in("libgomp.so.1", true, name);
    if (!real)
        rt_die("%s is called, but no OpenMP library with it is loaded; link the program with -fopenmp", name);
    RT_ALWAYS(if (!rt_omp_tool) rt_openmp_library(RT_LIBGOMP, (uintptr_t)real));
    __atomic_store_n(slot, real, __ATOMIC_RELEASE); /* several threads at once find the same */
    errno = saved;
    return real;
}

/* ---- regions ---- */

struct region {
    void *first; /* of the program's data: libgomp looks at it when the region has reductions by tasks */
    void (*function)(void *);
    void *data;
    struct rt_omp_team *team;
    uintptr_t pc;
};

static void in_region(void *region)
{
    const struct region *r = region;
    struct rt_omp_task *task = NULL;
    RT_RECORD(t, task = rt_omp_implicit_begin(t, r->team, r->pc));
    GOMP_CALL(0, r->function(r->data));
    RT_RECORD(t, rt_omp_implicit_end(t, task, r->pc));
}

static struct region begin_region(void (*function)(void *), void *data, bool reduces, uintptr_t pc)
{
    struct region r = {.first = reduces ? *(void **)data : NULL, .function = function, .data = data, .pc = pc};
    RT_RECORD(t, r.team = rt_omp_fork(t, pc));
    return r;
}

static void end_region(const struct region *r)
{
    RT_RECORD(t, rt_omp_join(t, r->team, r->pc));
}

/* `own`: the arguments after function and data. */
#define REGION(name, params, own)                                                                            \
    GOMP_INTERCEPT(void, name, params)                                                                       \
    {                                                                                                        \
        if (rt_omp_tool) {                                                                                   \
            GOMP_REAL(name) own(function, data);                                                             \
            return;                                                                                          \
        }                                                                                                    \
        __typeof(&name) real = GOMP_REAL(name);                                                              \
        struct region r = begin_region(function, data, false, RT_CALLER());                                  \
        GOMP_CALL(r.pc, real own(in_region, &r));                                                            \
        end_region(&r);                                                                                      \
    }
#define FUNCTION void (*function)(void *), void *data

#define PLAIN(f, d) (f, d, threads, flags)
REGION(GOMP_parallel, (FUNCTION, unsigned threads, unsigned flags), PLAIN)
#define SECTIONS(f, d) (f, d, threads, count, flags)
REGION(GOMP_parallel_sections, (FUNCTION, unsigned threads, unsigned count, unsigned flags), SECTIONS)
#define LOOP(f, d) (f, d, threads, start, end, incr, flags)
#define LOOP_PARAMS (FUNCTION, unsigned threads, long start, long end, long incr, unsigned flags)
REGION(GOMP_parallel_loop_runtime, LOOP_PARAMS, LOOP)
REGION(GOMP_parallel_loop_nonmonotonic_runtime, LOOP_PARAMS, LOOP)
REGION(GOMP_parallel_loop_maybe_nonmonotonic_runtime, LOOP_PARAMS, LOOP)
#define CHUNKS(f, d) (f, d, threads, start, end, incr, chunk, flags)
#define CHUNKS_PARAMS (FUNCTION, unsigned threads, long start, long end, long incr, long chunk, unsigned flags)
REGION(GOMP_parallel_loop_static, CHUNKS_PARAMS, CHUNKS)
REGION(GOMP_parallel_loop_dynamic, CHUNKS_PARAMS, CHUNKS)
REGION(GOMP_parallel_loop_guided, CHUNKS_PARAMS, CHUNKS)
REGION(GOMP_parallel_loop_nonmonotonic_dynamic, CHUNKS_PARAMS, CHUNKS)
REGION(GOMP_parallel_loop_nonmonotonic_guided, CHUNKS_PARAMS, CHUNKS)

GOMP_INTERCEPT(unsigned, GOMP_parallel_reductions, (FUNCTION, unsigned threads, unsigned flags))
{
    __typeof(&GOMP_parallel_reductions) real = GOMP_REAL(GOMP_parallel_reductions);
    if (rt_omp_tool)
        return real(function, data, threads, flags);
    struct region r = begin_region(function, data, true, RT_CALLER());
    unsigned n;
    GOMP_CALL(r.pc, n = real(in_region, &r, threads, flags));
    end_region(&r);
    return n;
}

/* ---- barriers ---- */

/* complete: of the result r. */
#define BARRIER(ret, declare, result, name, params, args, passed)                                            \
    GOMP_INTERCEPT(ret, name, params)                                                                        \
    {                                                                                                        \
        declare                                                                                              \
        uintptr_t pc = RT_CALLER();                                                                          \
        struct rt_omp_task *task = rt_gomp_task();                                                           \
        if (task)                                                                                            \
            RT_RECORD(t, rt_omp_arrive(t, task, pc));                                                        \
        GOMP_CALL(pc, result GOMP_REAL(name) args);                                                          \
        if (task)                                                                                            \
            RT_RECORD(t, rt_omp_passed(t, task, passed, pc));                                                \
        BARRIER_RETURN_##ret;                                                                                \
    }
#define BARRIER_RETURN_void
#define BARRIER_RETURN_bool    return r
#define BARRIER_RETURN_pointer return r
typedef void *pointer;

BARRIER(void, , , GOMP_barrier, (void), (), true)
BARRIER(void, , , GOMP_loop_end, (void), (), true)
BARRIER(void, , , GOMP_sections_end, (void), (), true)
BARRIER(bool, bool r;, r =, GOMP_barrier_cancel, (void), (), !r)
BARRIER(bool, bool r;, r =, GOMP_loop_end_cancel, (void), (), !r)
BARRIER(bool, bool r;, r =, GOMP_sections_end_cancel, (void), (), !r)
BARRIER(void, , , GOMP_workshare_task_reduction_unregister, (bool cancelled), (cancelled), !cancelled)
/* The one that gets NULL executes the block and comes to the barrier at its end; the others wait there for what it copies. */
BARRIER(pointer, pointer r;, r =, GOMP_single_copy_start, (void), (), r != NULL)
BARRIER(void, , , GOMP_single_copy_end, (void *copied), (copied), true)

/* No barrier, but the last one to come gives memory back that others have used. */
#define QUIET(name, params, args)                                                                            \
    GOMP_INTERCEPT(void, name, params) { GOMP_CALL(RT_CALLER(), GOMP_REAL(name) args); }
QUIET(GOMP_loop_end_nowait, (void), ())
QUIET(GOMP_sections_end_nowait, (void), ())
QUIET(GOMP_taskgroup_reduction_unregister, (uintptr_t *data), (data))

/* ---- locks ---- */

static void lock_wanted(uintptr_t lock, bool nests, uintptr_t pc)
{
    if (!rt_omp_tool)
        rt_lock_wanted(lock, RT_MUTEX, true, nests, pc);
}

static void lock_taken(uintptr_t lock, uintptr_t pc)
{
    if (!rt_omp_tool)
        RT_RECORD(t, rt_mutex_acquired(t, lock, RT_MUTEX, pc));
}

static void lock_given(uintptr_t lock, uintptr_t pc)
{
    if (!rt_omp_tool)
        RT_RECORD(t, (void)rt_mutex_releasing(t, lock, RT_MUTEX, pc));
}

#define TAKES(name, params, args, lock, nests)                                                               \
    GOMP_INTERCEPT(void, name, params)                                                                       \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        lock_wanted((uintptr_t)(lock), nests, pc);                                                           \
        rt_tls.omp_caller = pc;                                                                              \
        GOMP_REAL(name) args;                                                                                \
        rt_tls.omp_caller = 0;                                                                               \
        lock_taken((uintptr_t)(lock), pc);                                                                   \
    }
#define TRIES(name)                                                                                          \
    GOMP_INTERCEPT(int, name, (void *l))                                                                     \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        rt_tls.omp_caller = pc;                                                                              \
        int r = GOMP_REAL(name)(l);                                                                          \
        rt_tls.omp_caller = 0;                                                                               \
        if (r)                                                                                               \
            lock_taken((uintptr_t)l, pc);                                                                    \
        return r;                                                                                            \
    }
#define GIVES(name, params, args, lock)                                                                      \
    GOMP_INTERCEPT(void, name, params)                                                                       \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        lock_given((uintptr_t)(lock), pc);                                                                   \
        rt_tls.omp_caller = pc;                                                                              \
        GOMP_REAL(name) args;                                                                                \
        rt_tls.omp_caller = 0;                                                                               \
    }
#define MAKES(name)                                                                                          \
    GOMP_INTERCEPT(void, name, (void *l))                                                                    \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        rt_tls.omp_caller = pc;                                                                              \
        GOMP_REAL(name)(l);                                                                                  \
        rt_tls.omp_caller = 0;                                                                               \
        if (!rt_omp_tool)                                                                                    \
            RT_RECORD(t, rt_sync_create(t, (uintptr_t)l, RT_MUTEX, pc));                                     \
    }
#define ENDS(name)                                                                                           \
    GOMP_INTERCEPT(void, name, (void *l))                                                                    \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        rt_tls.omp_caller = pc;                                                                              \
        GOMP_REAL(name)(l);                                                                                  \
        rt_tls.omp_caller = 0;                                                                               \
        if (!rt_omp_tool)                                                                                    \
            RT_RECORD(t, rt_sync_destroy(t, (uintptr_t)l, RT_MUTEX, pc));                                    \
    }

/* What has no address of its own. */
static uint64_t unnamed_critical, big_atomic;

TAKES(GOMP_critical_start, (void), (), &unnamed_critical, false)
GIVES(GOMP_critical_end, (void), (), &unnamed_critical)
TAKES(GOMP_critical_name_start, (void **name), (name), name, false)
GIVES(GOMP_critical_name_end, (void **name), (name), name)
TAKES(GOMP_atomic_start, (void), (), &big_atomic, false)
GIVES(GOMP_atomic_end, (void), (), &big_atomic)

/* As C and as Fortran call them. */
#define LOCK(kind, end, nests)                                                                               \
    MAKES(omp_init_##kind##end)                                                                              \
    ENDS(omp_destroy_##kind##end)                                                                            \
    TAKES(omp_set_##kind##end, (void *l), (l), l, nests)                                                     \
    TRIES(omp_test_##kind##end)                                                                              \
    GIVES(omp_unset_##kind##end, (void *l), (l), l)

LOCK(lock, , false)
LOCK(lock, _, false)
LOCK(nest_lock, , true)
LOCK(nest_lock, _, true)

/* ---- ordered loops ---- */

#define BEGINS(name, params, args, dims)                                                                     \
    GOMP_INTERCEPT(bool, name, params)                                                                       \
    {                                                                                                        \
        rt_omp_loop_begin(rt_gomp_task(), dims);                                                             \
        return GOMP_REAL(name) args;                                                                         \
    }
/* Without and with the size of a chunk, as libgomp passes it: the arguments have the same places, whatever their types. */
#define ORDERED(name)                                                                                        \
    BEGINS(GOMP_loop_ordered_##name##_start, (long a, long b, long c, long d, long *e, long *f), (a, b, c, d, e, f), 0) \
    BEGINS(GOMP_loop_ull_ordered_##name##_start,                                                             \
           (bool up, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long *e,   \
            unsigned long *f),                                                                               \
           (up, a, b, c, d, e, f), 0)
ORDERED(static)
ORDERED(dynamic)
ORDERED(guided)
BEGINS(GOMP_loop_ordered_runtime_start, (long a, long b, long c, long *e, long *f), (a, b, c, e, f), 0)
BEGINS(GOMP_loop_ull_ordered_runtime_start,
       (bool up, unsigned long a, unsigned long b, unsigned long c, unsigned long *e, unsigned long *f), (up, a, b, c, e, f), 0)
BEGINS(GOMP_loop_ordered_start, (long a, long b, long c, long how, long d, long *e, long *f, uintptr_t *reductions, void **mem),
       (a, b, c, how, d, e, f, reductions, mem), 0)
BEGINS(GOMP_loop_ull_ordered_start,
       (bool up, unsigned long a, unsigned long b, unsigned long c, long how, unsigned long d, unsigned long *e, unsigned long *f,
        uintptr_t *reductions, void **mem),
       (up, a, b, c, how, d, e, f, reductions, mem), 0)

#define DOACROSS(kind, type)                                                                                 \
    BEGINS(kind##static_start, (unsigned n, type *counts, type d, type *e, type *f), (n, counts, d, e, f), n) \
    BEGINS(kind##dynamic_start, (unsigned n, type *counts, type d, type *e, type *f), (n, counts, d, e, f), n) \
    BEGINS(kind##guided_start, (unsigned n, type *counts, type d, type *e, type *f), (n, counts, d, e, f), n) \
    BEGINS(kind##runtime_start, (unsigned n, type *counts, type *e, type *f), (n, counts, e, f), n)           \
    BEGINS(kind##start,                                                                                      \
           (unsigned n, type *counts, long how, type d, type *e, type *f, uintptr_t *reductions, void **mem), \
           (n, counts, how, d, e, f, reductions, mem), n)
DOACROSS(GOMP_loop_doacross_, long)
DOACROSS(GOMP_loop_ull_doacross_, unsigned long)

static void in_order(void (*edge)(struct rt_thread *, struct rt_edge *, uintptr_t), uintptr_t pc)
{
    struct rt_omp_task *task = rt_gomp_task();
    if (task)
        RT_RECORD(t, struct rt_omp_loop *loop = rt_omp_loop_of(task); if (loop) edge(t, &loop->ordered, pc));
}

GOMP_INTERCEPT(void, GOMP_ordered_start, (void))
{
    uintptr_t pc = RT_CALLER();
    GOMP_REAL(GOMP_ordered_start)();
    in_order(rt_edge_acquire, pc);
}

GOMP_INTERCEPT(void, GOMP_ordered_end, (void))
{
    in_order(rt_edge_release, RT_CALLER());
    GOMP_REAL(GOMP_ordered_end)();
}

#define POSTS(name, type)                                                                                    \
    GOMP_INTERCEPT(void, name, (type * vector))                                                              \
    {                                                                                                        \
        struct rt_omp_task *task = rt_gomp_task();                                                           \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (task)                                                                                            \
            RT_RECORD(t, rt_omp_post(t, task, (const uint64_t *)vector, task->dims, pc));                    \
        GOMP_REAL(name)(vector);                                                                             \
    }
POSTS(GOMP_doacross_post, long)
POSTS(GOMP_doacross_ull_post, unsigned long)

/* More than the loop has are passed on too: whoever is called takes what it knows to be there. */
#define MOST_DIMS 64u
_Static_assert(sizeof(long) == sizeof(uint64_t), "one iteration number in each argument");

#define EIGHT(i) v[i], v[i + 1], v[i + 2], v[i + 3], v[i + 4], v[i + 5], v[i + 6], v[i + 7]
#define WAITS_FOR_ITERATION(name, type)                                                                      \
    GOMP_INTERCEPT(void, name, (type first, ...))                                                            \
    {                                                                                                        \
        struct rt_omp_task *task = rt_gomp_task();                                                           \
        uintptr_t pc = RT_CALLER();                                                                          \
        uint64_t v[MOST_DIMS] = {(uint64_t)first};                                                           \
        va_list ap;                                                                                          \
        va_start(ap, first);                                                                                 \
        for (uint32_t i = 1; i < MOST_DIMS; i++)                                                             \
            v[i] = va_arg(ap, uint64_t);                                                                     \
        va_end(ap);                                                                                          \
        GOMP_REAL(name)((type)v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], EIGHT(8), EIGHT(16), EIGHT(24), EIGHT(32), EIGHT(40), EIGHT(48), EIGHT(56)); \
        if (task && task->dims <= MOST_DIMS)                                                                 \
            RT_RECORD(t, rt_omp_wait(t, task, v, task->dims, pc));                                           \
    }
WAITS_FOR_ITERATION(GOMP_doacross_wait, long)
WAITS_FOR_ITERATION(GOMP_doacross_ull_wait, unsigned long)
