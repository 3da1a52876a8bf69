/* SPDX-License-Identifier: Apache-2.0
 *
 * An alternate stack for each thread, so that a fault that comes because its own is full can be told of (fatal.c).  The program does not see
 * it: sigaltstack() says that there is none (intercept_signal.c), and one that the program gives takes its place.  But a handler for which the
 * program wants an alternate stack without giving one runs there, as it does with ThreadSanitizer.
 */
#include "native/fatal.h"
#include "native/state.h"

void rt_signal_stack_begin(struct rt_thread *t)
{
    void *low = rt_fatal_wanted(SIGSEGV) ? rt_signal_stack(t->caches) : NULL;
    if (low && gl_os_signal_stack_begin(low, RT_SIGNAL_STACK))
        t->signal_stack = low;
}

void rt_signal_stack_again(const struct rt_thread *t)
{
    if (t->signal_stack)
        (void)gl_os_signal_stack_begin(t->signal_stack, RT_SIGNAL_STACK);
}

void rt_signal_stack_used(struct rt_thread *t, uintptr_t frame)
{
    if (t->signal_stack && frame - (uintptr_t)t->signal_stack < RT_SIGNAL_STACK)
        t->signal_stack_used = true;
}

void rt_signal_stack_end(struct rt_thread *t)
{
    void *low = t->signal_stack;
    if (!low)
        return;
    t->signal_stack = NULL;
    if (!gl_os_signal_stack_end(low)) /* a thread that ends in a handler: it is nobody else's */
        t->caches->signal_stack = NULL;
    else if (t->signal_stack_used) /* the next thread's variables are others */
        rt_stack_fresh(t, (uintptr_t)low, (uintptr_t)low + RT_SIGNAL_STACK);
}
