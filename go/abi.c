/* SPDX-License-Identifier: Apache-2.0
 *
 * What Go's runtime calls in a program that is built with -race (src/runtime/race.go, race_amd64.s): each function here is `__tsan_` and the rest of its name
 * there.  They run on the stack of the system's thread, with the goroutine's record as the first argument.
 */
#include "go/go.h"
#include "native/access_inl.h"
#include "native/record.h"

#include <stdlib.h>

enum { FRAMES = 64, FRAMES_MOST = 1 << 20 }; /* of a goroutine's shadow call stack, at first and in the end */

#define GO_EXPORT __attribute__((visibility("default")))

/* ---- the program ---- */

GO_EXPORT void goldilocks_go_init(void **goroutine, void **processor, void (*callback)(uintptr_t, void *));
GO_EXPORT void goldilocks_go_init(void **goroutine, void **processor, void (*callback)(uintptr_t, void *))
{
    (void)callback; /* names come from the program's debug information */
    rt.go = true;
    *goroutine = *processor = go_home();
    rt_enter_always();
    rt_all_asked(); /* by finalizers */
    rt_leave();
}

GO_EXPORT void goldilocks_go_fini(void);
GO_EXPORT void goldilocks_go_fini(void)
{
    exit(rt_finish(0));
}

GO_EXPORT void goldilocks_go_proc_create(void **processor);
GO_EXPORT void goldilocks_go_proc_create(void **processor)
{
    *processor = &rt; /* not NULL; nothing is kept for it */
}
GO_EXPORT void goldilocks_go_proc_destroy(void *processor);
GO_EXPORT void goldilocks_go_proc_destroy(void *processor) { (void)processor; }

GO_EXPORT void goldilocks_go_report_count(uint64_t *count);
GO_EXPORT void goldilocks_go_report_count(uint64_t *count)
{
    *count = gl_load_relaxed(&rt.reports); /* relaxed: a statistic */
}

/* ---- goroutines ---- */

GO_EXPORT void goldilocks_go_go_start(void *parent, void **child, uintptr_t pc);
GO_EXPORT void goldilocks_go_go_start(void *parent, void **child, uintptr_t pc)
{
    struct rt_thread *t = go_on(parent);
    rt_enter_always();
    struct rt_thread *made = rt_thread_aside_with(t, pc, FRAMES);
    if (!made)
        rt_die("no memory for a goroutine; lift the memory limit of the process");
    rt_caches_free(made->caches); /* it has those of who runs it */
    made->caches = NULL;
    rt_leave();
    *child = made;
}

GO_EXPORT void goldilocks_go_go_end(void *goroutine);
GO_EXPORT void goldilocks_go_go_end(void *goroutine)
{
    struct rt_thread *t = go_on(goroutine), *home = go_home();
    rt_enter_always();
    rt_all_ending(t, true);
    rt_thread_run_as(home, home);
    t->joined = true; /* by nobody, who would come after it */
    rt_thread_end_away(t);
    rt_leave();
}

/* A finalizer runs after everything that anybody did to the object. */
GO_EXPORT void goldilocks_go_finalizer_goroutine(void *goroutine);
GO_EXPORT void goldilocks_go_finalizer_goroutine(void *goroutine)
{
    struct rt_thread *t = go_on(goroutine);
    rt_enter_always();
    rt_acquire_all(t);
    rt_leave();
}

/* ---- memory ---- */

static void fresh(uintptr_t p, size_t n)
{
    (void)go_on(NULL); /* the goroutine that ran here may run elsewhere by now */
    rt_enter_always();
    rt_memory_fresh(NULL, p, n);
    rt_leave();
}

GO_EXPORT void goldilocks_go_map_shadow(uintptr_t p, size_t n);
GO_EXPORT void goldilocks_go_map_shadow(uintptr_t p, size_t n)
{
    if (!rt_address_ok(p) || !rt_address_ok(p + n - 1))
        rt_die("the program's memory at 0x%lx is where there is no room for its shadow", (unsigned long)p);
}

GO_EXPORT void goldilocks_go_malloc(void *goroutine, uintptr_t pc, uintptr_t p, size_t n);
GO_EXPORT void goldilocks_go_malloc(void *goroutine, uintptr_t pc, uintptr_t p, size_t n)
{
    (void)goroutine, (void)pc; /* 0, both */
    fresh(p, n);
}

/* By the collector: nobody has it any more. */
GO_EXPORT void goldilocks_go_free(uintptr_t p, size_t n);
GO_EXPORT void goldilocks_go_free(uintptr_t p, size_t n) { fresh(p, n); }

/* ---- functions ---- */

static void more_frames(void)
{
    if (rt_tls.limit - rt_tls.base >= FRAMES_MOST)
        return;
    rt_enter_always();
    rt_frames_grow();
    rt_leave();
}

/* depth: how much of the goroutine's stack is in use, wherever that lies by now; 0: not known. */
static void enter(uintptr_t pc, uint32_t depth)
{
    if (RT_UNLIKELY(rt_tls.top == rt_tls.limit))
        more_frames();
    struct rt_frame *f = rt_tls.top;
    rt_tls.top = f + 1;
    if (RT_LIKELY(f < rt_tls.limit)) {
        f->pc = pc;
        f->node = 0;
        f->sp = depth;
    } else if (f == rt_tls.limit && f) {
        rt_count(RT_COUNT_stack_overflow);
    }
}

static void leave(void)
{
    if (RT_LIKELY(rt_tls.top > rt_tls.base))
        rt_tls.top--;
}

/* A panic that is recovered leaves functions of which nobody is told: their frames are at least as deep. */
static void unwind(uint32_t depth)
{
    if (RT_UNLIKELY(rt_tls.top > rt_tls.limit) && rt_tls.limit && rt_tls.limit > rt_tls.base && rt_tls.limit[-1].sp >= depth)
        rt_tls.top = rt_tls.limit;
    while (rt_tls.top <= rt_tls.limit && RT_UNLIKELY(rt_tls.top[-1].sp >= depth)) /* below the first is one of depth 0 */
        rt_tls.top--;
}

/* Go calls with its stack pointer in r12 and the goroutine in r14 (racecall), which begins with the ends of its stack.  A function enters with two return addresses
 * below its frame and leaves with one; its caller's frame is less deep than either. */
#define WITH_DEPTH(name, argument)                                                                           \
    __asm__(".text\n.globl goldilocks_go_" #name "\n.type goldilocks_go_" #name ", @function\n"              \
            "goldilocks_go_" #name ":\n\tmov 8(%r14), " argument "\n\tsub %r12, " argument "\n\tjmp go_" #name "\n" \
            ".size goldilocks_go_" #name ", .-goldilocks_go_" #name "\n")
WITH_DEPTH(func_enter, "%rdx");
WITH_DEPTH(func_exit, "%rsi");

void go_func_enter(void *goroutine, uintptr_t pc, uintptr_t depth);
__attribute__((used, visibility("hidden"))) void go_func_enter(void *goroutine, uintptr_t pc, uintptr_t depth)
{
    (void)go_on(goroutine);
    unwind((uint32_t)depth);
    enter(pc, (uint32_t)depth);
}
void go_func_exit(void *goroutine, uintptr_t depth);
__attribute__((used, visibility("hidden"))) void go_func_exit(void *goroutine, uintptr_t depth)
{
    (void)go_on(goroutine);
    leave();
    unwind((uint32_t)depth + 1);
}

/* ---- accesses: Go tells where one begins, and all accesses to a variable begin at the same place ---- */

#define ACCESS(name, write)                                                                              \
    GO_EXPORT void goldilocks_go_##name(void *goroutine, void *p, uintptr_t pc);                         \
    GO_EXPORT void goldilocks_go_##name(void *goroutine, void *p, uintptr_t pc)                          \
    {                                                                                                    \
        (void)go_on(goroutine);                                                                          \
        rt_access(p, 1, write, pc);                                                                      \
    }                                                                                                    \
    GO_EXPORT void goldilocks_go_##name##_pc(void *goroutine, void *p, uintptr_t caller, uintptr_t pc);  \
    GO_EXPORT void goldilocks_go_##name##_pc(void *goroutine, void *p, uintptr_t caller, uintptr_t pc)   \
    {                                                                                                    \
        (void)go_on(goroutine);                                                                          \
        if (caller)                                                                                      \
            enter(caller, 0);                                                                             \
        rt_access(p, 1, write, pc);                                                                      \
        if (caller)                                                                                      \
            leave();                                                                                     \
    }
ACCESS(read, false)
ACCESS(write, true)

GO_EXPORT void goldilocks_go_read_range(void *goroutine, uintptr_t p, size_t n, uintptr_t pc);
GO_EXPORT void goldilocks_go_read_range(void *goroutine, uintptr_t p, size_t n, uintptr_t pc)
{
    (void)go_on(goroutine);
    rt_reads(p, n, pc);
}
GO_EXPORT void goldilocks_go_write_range(void *goroutine, uintptr_t p, size_t n, uintptr_t pc);
GO_EXPORT void goldilocks_go_write_range(void *goroutine, uintptr_t p, size_t n, uintptr_t pc)
{
    (void)go_on(goroutine);
    rt_writes(p, n, pc);
}

/* ---- synchronization ---- */

GO_EXPORT void goldilocks_go_acquire(void *goroutine, uintptr_t p);
GO_EXPORT void goldilocks_go_acquire(void *goroutine, uintptr_t p)
{
    struct rt_thread *t = go_on(goroutine);
    rt_enter_always();
    struct rt_atomic a = rt_atomic_lock(t, p, false);
    if (a.s)
        gl_sink(t->core, a.s);
    rt_atomic_unlock(&a);
    rt_leave();
}

static void release(void *goroutine, uintptr_t p, bool assign)
{
    struct rt_thread *t = go_on(goroutine);
    rt_enter_always();
    struct rt_atomic a = rt_atomic_lock(t, p, true);
    if (a.s)
        gl_source(t->core, a.s, assign, 0);
    rt_atomic_unlock(&a);
    rt_leave();
}

GO_EXPORT void goldilocks_go_release(void *goroutine, uintptr_t p);
GO_EXPORT void goldilocks_go_release(void *goroutine, uintptr_t p) { release(goroutine, p, true); }
GO_EXPORT void goldilocks_go_release_merge(void *goroutine, uintptr_t p);
GO_EXPORT void goldilocks_go_release_merge(void *goroutine, uintptr_t p) { release(goroutine, p, false); }

/* A slot of a channel's buffer changes hands: who takes it comes after who had it, and leaves there what itself has done, not what it came after just now. */
GO_EXPORT void goldilocks_go_release_acquire(void *goroutine, uintptr_t p);
GO_EXPORT void goldilocks_go_release_acquire(void *goroutine, uintptr_t p)
{
    struct rt_thread *t = go_on(goroutine);
    struct gl_sync before = {0};
    rt_enter_always();
    struct rt_atomic a = rt_atomic_lock(t, p, true);
    if (a.s) {
        gl_transfer(t->core, &before, a.s, true);
        gl_source(t->core, a.s, true, 0);
        gl_sink(t->core, &before);
        gl_sync_free(rt.core, &before);
    }
    rt_atomic_unlock(&a);
    rt_leave();
}

GO_EXPORT void goldilocks_go_go_ignore_sync_begin(void *goroutine);
GO_EXPORT void goldilocks_go_go_ignore_sync_begin(void *goroutine)
{
    (void)go_on(goroutine);
    rt_tls.ignore_sync++;
}
GO_EXPORT void goldilocks_go_go_ignore_sync_end(void *goroutine);
GO_EXPORT void goldilocks_go_go_ignore_sync_end(void *goroutine)
{
    (void)go_on(goroutine);
    if (rt_tls.ignore_sync)
        rt_tls.ignore_sync--;
}

/* ---- sync/atomic.  Arguments and the result lie one after the other at `args`, as Go passes them.  Between go_ignore_sync_begin and _end an operation is no
 * access, either: there sync does to its own words what it tells by acquire and release, and tells it before (WaitGroup.Done, RWMutex.RUnlock). ---- */

struct atomic_step {
    struct rt_thread *t;
    struct rt_atomic hold;
    struct rt_findings found;
    uintptr_t a, pc;
};

/* What sync/atomic does, on its caller's line. */
static void step_begin(struct atomic_step *s, void *goroutine, uintptr_t a, uintptr_t caller, uintptr_t pc, bool make)
{
    s->t = go_on(goroutine);
    s->a = a, s->pc = pc;
    s->found.n = 0;
    rt_enter_always();
    enter(caller, 0);
    s->hold = rt_atomic_lock(s->t, a, make);
}

/* After what the operation takes in, and before what it leaves behind. */
static void step_access(struct atomic_step *s, unsigned size, bool write)
{
    if (!rt_tls.ignore_sync)
        rt_access_inside(s->t, s->a, size, GL_ACCESS_ATOMIC | (write ? GL_ACCESS_WRITE : 0), s->pc, &s->found);
}

static void step_end(struct atomic_step *s)
{
    rt_atomic_unlock(&s->hold);
    rt_tell(s->t, &s->found);
    leave();
    rt_leave();
}

#define DECLARE(bits, name)                                                                                             \
    GO_EXPORT void goldilocks_go_go_atomic##bits##_##name(void *goroutine, uintptr_t caller, uintptr_t pc, void *args); \
    GO_EXPORT void goldilocks_go_go_atomic##bits##_##name(void *goroutine, uintptr_t caller, uintptr_t pc, void *args)

#define LOAD(bits)                                                     \
    DECLARE(bits, load)                                                \
    {                                                                  \
        struct { uint##bits##_t *p, result; } *x = args;               \
        struct atomic_step s;                                          \
        step_begin(&s, goroutine, (uintptr_t)x->p, caller, pc, false); \
        x->result = __atomic_load_n(x->p, __ATOMIC_SEQ_CST);           \
        if (s.hold.s)                                                  \
            gl_atomic_acquire_part(s.t->core, s.hold.s, GL_ACQ);       \
        step_access(&s, bits / 8, false);                              \
        step_end(&s);                                                  \
    }

#define STORE(bits)                                                   \
    DECLARE(bits, store)                                              \
    {                                                                 \
        struct { uint##bits##_t *p, value; } *x = args;               \
        struct atomic_step s;                                         \
        step_begin(&s, goroutine, (uintptr_t)x->p, caller, pc, true); \
        step_access(&s, bits / 8, true);                              \
        if (s.hold.s)                                                 \
            gl_atomic_store_part(s.t->core, s.hold.s, GL_REL);        \
        __atomic_store_n(x->p, x->value, __ATOMIC_SEQ_CST);           \
        step_end(&s);                                                 \
    }

#define CHANGE(bits, name, operation)                                                      \
    DECLARE(bits, name)                                                                    \
    {                                                                                      \
        struct { uint##bits##_t *p, value; _Alignas(8) uint##bits##_t result; } *x = args; \
        struct atomic_step s;                                                              \
        step_begin(&s, goroutine, (uintptr_t)x->p, caller, pc, true);                      \
        x->result = operation(x->p, x->value, __ATOMIC_SEQ_CST);                           \
        if (s.hold.s)                                                                      \
            gl_atomic_acquire_part(s.t->core, s.hold.s, GL_AR);                            \
        step_access(&s, bits / 8, true);                                                   \
        if (s.hold.s)                                                                      \
            gl_atomic_rmw_part(s.t->core, s.hold.s, GL_AR);                                \
        step_end(&s);                                                                      \
    }

#define COMPARE_EXCHANGE(bits)                                                                                         \
    DECLARE(bits, compare_exchange)                                                                                    \
    {                                                                                                                  \
        struct { uint##bits##_t *p, expected, value; bool result; } *x = args;                                         \
        struct atomic_step s;                                                                                          \
        uint##bits##_t expected = x->expected;                                                                         \
        step_begin(&s, goroutine, (uintptr_t)x->p, caller, pc, true);                                                  \
        x->result = __atomic_compare_exchange_n(x->p, &expected, x->value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        if (s.hold.s)                                                                                                  \
            gl_atomic_acquire_part(s.t->core, s.hold.s, x->result ? GL_AR : GL_ACQ);                                   \
        step_access(&s, bits / 8, x->result);                                                                          \
        if (s.hold.s && x->result)                                                                                     \
            gl_atomic_rmw_part(s.t->core, s.hold.s, GL_AR);                                                            \
        step_end(&s);                                                                                                  \
    }

#define ATOMICS(bits)                           \
    LOAD(bits)                                  \
    STORE(bits)                                 \
    CHANGE(bits, exchange, __atomic_exchange_n) \
    CHANGE(bits, fetch_add, __atomic_fetch_add) \
    CHANGE(bits, fetch_and, __atomic_fetch_and) \
    CHANGE(bits, fetch_or, __atomic_fetch_or)   \
    COMPARE_EXCHANGE(bits)


ATOMICS(32)
ATOMICS(64)
