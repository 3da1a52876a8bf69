/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads slept last, for reports: an earlier access that another thread made before the end of a sleep is "ordered" by that sleep
 * only, which orders nothing.  As in ThreadSanitizer, all accesses of an epoch that had begun then count as made before.
 *
 * A hint and nothing else: of many threads some are not looked at.
 */
#include "native/state.h"

enum { LOOKED_AT = 512 };

static void see(void *ctx, uint32_t thread, uint32_t epoch)
{
    struct rt_slept *slept = ctx;
    slept->seen[thread % RT_SLEPT] = (struct rt_seen_then){.thread = thread + 1, .epoch = epoch};
}

void rt_has_slept(uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    struct rt_slept *slept = &t->caches->slept;
    slept->stack = rt_stack_here(t, pc);
    /* All as if they had ended, then those that have not: of the newest in the one list, who is left is among the newest in the other. */
    gl_spin_lock(&rt.registry);
    uint32_t n = 0;
    for (const struct rt_thread *u = rt.threads; u && n < LOOKED_AT; u = u->next, n++)
        see(slept, u->tid, UINT32_MAX);
    gl_spin_unlock(&rt.registry);
    gl_core_epochs(rt.core, LOOKED_AT, see, slept);
    rt_leave();
}

uint32_t rt_slept_after(const struct rt_thread *t, uint32_t segment)
{
    const struct rt_slept *slept = t->caches ? &t->caches->slept : NULL;
    if (!slept || !slept->stack || !segment)
        return 0;
    struct gl_segment then = gl_core_segment(rt.core, segment);
    const struct rt_seen_then *seen = &slept->seen[then.uid % RT_SLEPT];
    return seen->thread == then.uid + 1 && then.epoch <= seen->epoch ? slept->stack : 0;
}
