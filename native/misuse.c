/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports of mistakes that are no races.  Each is told once per place or pair of places (and per lock): a lock that was misused
 * is out of step with what we know of it, and what follows would say the same again.
 */
#include "native/misuse.h"

#include "native/collect.h"
#include "native/omp.h"
#include "report/dedup.h"

/* Guarded by the report lock: (place, type, and the other place, if it has two) that was told. */
static struct gl_dedup told;

/* Under the report lock: is it told for the first time at this place (a stack, or the address of a function), and to be printed? */
static bool is_new(enum gl_report_type type, uint64_t place, uint64_t other)
{
    if (!told.env)
        gl_dedup_init(&told, gl_core_env(rt.core));
    struct gl_dedup_entry *e = gl_dedup_get(&told, (struct gl_dedup_side){place, GL_REPORT_READ},
                                            (struct gl_dedup_side){other << 8 | type, GL_REPORT_WRITE});
    return (!e || e->count == 1 || !rt.options.dedup) && !rt_report_full();
}

static bool wanted(enum gl_report_type type)
{
    if (!rt.options.report_bugs || gl_core_stopped(rt.core))
        return false;
    switch (type) {
    case GL_REPORT_DESTROY_LOCKED:
        return rt.options.report_destroy_locked;
    case GL_REPORT_DOUBLE_LOCK:
    case GL_REPORT_INVALID_MUTEX:
    case GL_REPORT_BAD_UNLOCK:
    case GL_REPORT_BAD_READ_LOCK:
    case GL_REPORT_BAD_READ_UNLOCK:
    case GL_REPORT_MUTEX_HELD:
        return rt.options.report_mutex_bugs;
    case GL_REPORT_THREAD_LEAK:
        return rt.options.report_thread_leaks;
    case GL_REPORT_SIGNAL_UNSAFE:
    case GL_REPORT_ERRNO_IN_SIGNAL:
        return rt.options.report_signal_unsafe;
    default:
        return true;
    }
}

void rt_misuse_lock(struct rt_thread *t, enum gl_report_type type, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    struct rt_lock_state lock;
    if (!wanted(type) || rt_module_ignored(pc) || !rt_lock_state(t, addr, kind, pc, RT_LOCK_BREAKS, &lock))
        return;
    uint32_t stack = rt_stack_here(t, pc);
    struct rt_report *p = rt_report_begin(false);
    if (!p)
        return;
    enum rt_verdict verdict = RT_NOT_PRINTED;
    uint32_t taken = type == GL_REPORT_DESTROY_LOCKED ? lock.lock_stack : 0;
    if (is_new(type, stack, taken)) {
        p->r.type = type;
        rt_report_where(p, stack);
        if (taken)
            rt_report_where(p, taken);
        rt_report_place(p, addr);
        (void)rt_report_mutex(p, lock.cookie);
        if (p->r.location.place != GL_PLACE_UNKNOWN && p->r.location.place != GL_PLACE_GLOBAL)
            rt_report_thread(p, p->r.location.thread);
        verdict = rt_report_tell(p);
    }
    rt_report_end();
    rt_report_done(verdict);
}

void rt_misuse_held(struct rt_thread *t, uintptr_t pc)
{
    if (!t->core->n_held || !wanted(GL_REPORT_MUTEX_HELD) || rt_module_ignored(pc))
        return;
    uint32_t stack = rt_stack_here(t, pc);
    struct rt_report *p = rt_report_begin(false);
    if (!p)
        return;
    enum rt_verdict verdict = RT_NOT_PRINTED;
    if (is_new(GL_REPORT_MUTEX_HELD, stack, 0)) {
        p->r.type = GL_REPORT_MUTEX_HELD;
        rt_report_where(p, stack);
        for (uint32_t i = 0; i < t->core->n_held; i++)
            (void)rt_report_mutex(p, t->core->held[i].cookie);
        verdict = rt_report_tell(p);
    }
    rt_report_end();
    rt_report_done(verdict);
}

/* One stack and nothing else. */
static void tell_stack(enum gl_report_type type, uint32_t stack, uint64_t place, uint32_t signal)
{
    struct rt_report *p = rt_report_begin(false);
    if (!p)
        return;
    enum rt_verdict verdict = RT_NOT_PRINTED;
    if (is_new(type, place, signal)) {
        p->r.type = type;
        p->r.signal = signal;
        rt_report_where(p, stack);
        verdict = rt_report_tell(p);
    }
    rt_report_end();
    rt_report_done(verdict);
}

void rt_misuse_errno(struct rt_thread *t, int signal, uintptr_t function)
{
    if (wanted(GL_REPORT_ERRNO_IN_SIGNAL)) /* +1: as a return address; what it interrupted has no part in it */
        tell_stack(GL_REPORT_ERRNO_IN_SIGNAL, rt_stack_here(t, function + 1), function, (uint32_t)signal);
}

/* By an exception, of which nobody tells us. */
static bool handler_is_left(void)
{
    uintptr_t frame = rt_tls.signal_frame;
    if (rt_tls.depth || !gl_os_frame_gone(frame))
        return false;
    rt_unwind_to((uintptr_t)__builtin_frame_address(0));
    if (rt_tls.signal_frame == frame)
        rt_signal_left();
    return true;
}

void rt_misuse_signal_unsafe(uintptr_t pc)
{
    if (handler_is_left())
        return;
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    if (wanted(GL_REPORT_SIGNAL_UNSAFE) && !rt_module_ignored(pc)) {
        uint32_t stack = rt_stack_here(t, pc);
        tell_stack(GL_REPORT_SIGNAL_UNSAFE, stack, stack, 0);
    }
    rt_leave();
}

/* ---- threads ---- */

/* Threads that an OpenMP library made for itself are its own affair. */
static bool leaked(const struct rt_thread *t)
{
    uintptr_t creator;
    return t->finished && !t->joined && !t->detached && !t->detaches && t->tid != 0 &&
           !(rt_stack_pcs(t->create_stack, &creator, 1) == 1 && rt_openmp_code(creator));
}

/* Under no lock: no record is freed while somebody is inside the runtime (sweep.c). */
static void tell_leak(const struct rt_thread *first, uint64_t similar)
{
    struct rt_report *p = rt_report_begin(true);
    if (!p)
        return;
    if (!rt_report_full()) {
        p->r.type = GL_REPORT_THREAD_LEAK;
        p->r.similar = similar;
        rt_report_thread(p, first->tid);
        (void)rt_report_tell(p);
    }
    rt_report_end();
}

/* One report for all threads that were created on the same call path: the last one's in the list, which was created first. */
void rt_misuse_leaks(void)
{
    if (rt.halting || !wanted(GL_REPORT_THREAD_LEAK))
        return; /* cut off in the middle: others would still have been joined */
    gl_spin_lock(&rt.registry);
    struct rt_thread *list = rt.threads;
    gl_spin_unlock(&rt.registry);
    for (struct rt_thread *t = list; t; t = t->next) {
        bool last = true;
        uint64_t similar = 0;
        for (struct rt_thread *u = t->next; u && leaked(t) && last; u = u->next)
            last = !leaked(u) || u->create_stack != t->create_stack;
        if (!leaked(t) || !last)
            continue;
        for (struct rt_thread *u = list; u != t; u = u->next)
            similar += leaked(u) && u->create_stack == t->create_stack;
        tell_leak(t, similar);
    }
}
