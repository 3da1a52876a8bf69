/* SPDX-License-Identifier: Apache-2.0
 *
 * Where threads slept last, for reports: an earlier access that another thread made before the end of a sleep is "ordered" by that sleep
 * only, which orders nothing.  As ThreadSanitizer does, the whole segment of the access counts as made before, if it had begun.
 *
 * A hint and nothing else: of many threads some are not looked at.
 */
#include "native/state.h"

enum { LOOKED_AT = 512 };

void rt_has_slept(uintptr_t pc)
{
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    struct rt_slept *slept = &t->caches->slept;
    slept->stack = rt_stack_here(t, pc);
    gl_spin_lock(&rt.registry);
    uint32_t n = 0;
    for (const struct rt_thread *u = rt.threads; u && n < LOOKED_AT; u = u->next, n++) {
        /* A thread's thread-local part is there until it gives it up, under this lock.  relaxed: a hint */
        uint32_t segment = u->tls ? gl_half_segment(__atomic_load_n(&u->tls->key, __ATOMIC_RELAXED)) : u->finished ? UINT32_MAX : 0;
        if (u != t && segment) /* else it has accessed nothing since its last release: what was seen before is right, too */
            slept->seen[u->tid % RT_SLEPT] = (struct rt_seen_then){.thread = u->tid + 1, .segment = segment};
    }
    gl_spin_unlock(&rt.registry);
    rt_leave();
}

uint32_t rt_slept_after(const struct rt_thread *t, uint32_t segment)
{
    const struct rt_slept *slept = t->caches ? &t->caches->slept : NULL;
    if (!slept || !slept->stack || !segment)
        return 0;
    struct gl_segment then = gl_core_segment(rt.core, segment);
    const struct rt_seen_then *seen = &slept->seen[then.uid % RT_SLEPT];
    if (seen->thread != then.uid + 1)
        return 0;
    if (seen->segment == segment || seen->segment == UINT32_MAX)
        return slept->stack;
    struct gl_segment at_end = gl_core_segment(rt.core, seen->segment); /* its number may be another's by now */
    return at_end.uid == then.uid && then.epoch <= at_end.epoch ? slept->stack : 0;
}
