/* SPDX-License-Identifier: Apache-2.0
 *
 * An alternate stack for each thread, so that a fault that comes because its own is full can be told of (fatal.c).  The program does not see
 * it: sigaltstack() says that there is none (intercept_signal.c), and one that the program gives takes its place.  But a handler for which the
 * program wants an alternate stack without giving one runs there, as it does with ThreadSanitizer.  It is the system's thread that has it, whichever
 * fiber runs there.
 */
#include "native/fatal.h"
#include "native/state.h"

void rt_signal_stack_begin(struct rt_thread *t)
{
    void *low = rt_fatal_wanted(SIGSEGV) ? rt_signal_stack_take(t->caches) : NULL;
    if (low && gl_os_signal_stack_begin(low, RT_SIGNAL_STACK))
        rt_tls.signal_stack = low;
    else if (low)
        rt_signal_stack_leave(t->caches, low);
}

void rt_signal_stack_again(void)
{
    if (rt_tls.signal_stack)
        (void)gl_os_signal_stack_begin(rt_tls.signal_stack, RT_SIGNAL_STACK);
}

void rt_signal_stack_used(uintptr_t frame)
{
    if (rt_tls.signal_stack && frame - (uintptr_t)rt_tls.signal_stack < RT_SIGNAL_STACK)
        rt_tls.signal_stack_used = true;
}

void rt_signal_stack_end(struct rt_thread *t)
{
    void *low = rt_tls.signal_stack;
    rt_tls.signal_stack = NULL;
    if (!low || !gl_os_signal_stack_end(low)) /* a thread that ends in a handler: it is nobody else's */
        return;
    if (rt_tls.signal_stack_used) /* the next thread's variables are others */
        rt_stack_fresh(t, (uintptr_t)low, (uintptr_t)low + RT_SIGNAL_STACK);
    rt_signal_stack_leave(t->caches, low);
}
