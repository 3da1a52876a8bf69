/* SPDX-License-Identifier: Apache-2.0
 *
 * What compilers call at function entry and exit and at start, and the switches that turn checking off
 * for a stretch of a thread.
 */
#include "native/near.h"
#include "native/state.h"

RT_EXPORT void __tsan_init(void);
RT_EXPORT void __tsan_init(void)
{
    rt_init();
    rt_module_begins((uintptr_t)__builtin_return_address(0));
}

/* Beyond the limit (or without a stack: limit is NULL then) only the count of frames goes on. */
RT_EXPORT void __tsan_func_entry(void *pc);
RT_EXPORT RT_NEAR void __tsan_func_entry(void *pc)
{
    struct rt_frame *f = rt_tls.top;
    rt_tls.top = f + 1;
    if (RT_LIKELY(f < rt_tls.limit)) {
        f->pc = (uintptr_t)pc;
        f->node = 0;
        f->sp = (uint32_t)(uintptr_t)__builtin_dwarf_cfa();
    } else if (f == rt_tls.limit && f) {
        rt_count(RT_COUNT_stack_overflow);
    }
}

RT_NEAR_NAME(__tsan_func_entry)

/* For code that has the common case in itself (inline.h). */
RT_EXPORT void goldilocks_rt_func_entry(void *pc) __attribute__((alias("__tsan_func_entry")));
RT_NEAR_NAME(goldilocks_rt_func_entry)

RT_EXPORT void __tsan_func_exit(void);
RT_EXPORT RT_NEAR void __tsan_func_exit(void)
{
    /* More exits than entries: the thread became known inside a function. */
    if (RT_LIKELY(rt_tls.top > rt_tls.base))
        rt_tls.top--;
}
RT_NEAR_NAME(__tsan_func_exit)

void rt_unwind_to(uintptr_t sp)
{
    if (RT_UNLIKELY(__atomic_load_n(&rt_contexts_made, __ATOMIC_RELAXED)) && rt_tls.self) { /* relaxed: set by this thread, or by one that it comes after */
        rt_enter_always();
        rt_context_at(rt_tls.self, sp);
        rt_leave();
    }
    struct rt_frame *top = rt_tls.top < rt_tls.limit ? rt_tls.top : rt_tls.limit;
    /* A handler on another stack: its functions are left wherever that lies. */
    uintptr_t low;
    size_t bytes;
    if (rt_tls.signal_frame && gl_os_signal_stack_left(sp, &low, &bytes))
        while (top > rt_tls.base && top[-1].sp - (uint32_t)low < bytes)
            top--;
    /* Stacks grow down: a function entered below the target is left.  Halves suffice: no stack is 2 GiB. */
    while (top > rt_tls.base && (int32_t)(top[-1].sp - (uint32_t)sp) < 0)
        top--;
    if (rt_tls.top <= rt_tls.limit || top < rt_tls.limit)
        rt_tls.top = top; /* else: still beyond the limit, by how much we do not know */
    if (rt_tls.handler_frame && gl_os_stack_left(rt_tls.handler_frame, sp))
        rt_tls.handler_frame = 0; /* the program's race handler is left too */
    rt_tls.loop = RT_LOOP_NONE; /* a loop is left by no call, but by a fault's handler */
    if (rt_tls.self)
        rt_handlers_left(rt_tls.self, sp);
    if (rt_tls.signal_frame && gl_os_stack_left(rt_tls.signal_frame, sp))
        rt_signal_left(); /* and a handler of a signal; of nested ones all, which may leave a mistake untold */
}

RT_EXPORT void __tsan_ignore_thread_begin(void);
RT_EXPORT void __tsan_ignore_thread_begin(void)
{
    if (rt_tls.ignore_accesses++ == 0)
        rt_show_key();
}
RT_EXPORT void __tsan_ignore_thread_end(void);
RT_EXPORT void __tsan_ignore_thread_end(void)
{
    if (rt_tls.ignore_accesses && --rt_tls.ignore_accesses == 0)
        rt_show_key();
}

/* Plain happens-before edges by hand. */
RT_EXPORT void __tsan_acquire(void *addr);
RT_EXPORT void __tsan_acquire(void *addr)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    rt_told_acquire(t, (uintptr_t)addr, RT_CALLER());
    rt_leave();
}
RT_EXPORT void __tsan_release(void *addr);
RT_EXPORT void __tsan_release(void *addr)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    rt_told_release(t, (uintptr_t)addr, RT_CALLER());
    rt_leave();
}
