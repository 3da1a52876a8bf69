/* SPDX-License-Identifier: Apache-2.0
 *
 * Barriers, whose wait is ours: whoever leaves a generation comes after all who arrived in it.
 */
#include "native/sync_object.h"

void rt_barrier_create(struct rt_thread *t, uintptr_t addr, uint32_t count, uintptr_t pc)
{
    rt_sync_create(t, addr, RT_BARRIER, pc);
    struct rt_sync *s = rt_object_find(t, addr, RT_BARRIER, pc);
    if (!s)
        return;
    s->barrier.count = count;
    gl_spin_unlock(&s->lock);
}

/* The wait is ours, so that which arrivals belong to which generation is not a guess: with more threads
 * than the count, the order of our records and of the real arrivals could differ.  Each generation
 * has an object of its own; a late leaver sinks on the generation it was in. */
int rt_barrier_wait(struct rt_thread *t, uintptr_t addr, uintptr_t pc, bool *known)
{
    struct rt_sync *s = rt_object_find(t, addr, RT_BARRIER, pc);
    *known = s && s->barrier.count;
    if (!*known) {
        rt_sync_unlock(s);
        return 0;
    }
    struct rt_generation *g = s->barrier.open;
    if (!g) {
        g = s->barrier.open = gl_arena_alloc(sizeof *g);
        if (!g) {
            rt_count(RT_COUNT_sync_no_memory);
            gl_core_stop(rt.core);
            *known = false;
            gl_spin_unlock(&s->lock);
            return 0;
        }
    }
    g->inside++;
    s->barrier.inside++;
    if (t)
        gl_source(t->core, &g->sync, false, 0);
    bool last = ++s->barrier.arrived == s->barrier.count;
    if (t && rt.recording)
        rt_record_object(t, GL_OP_BAR_IN, &g->record, addr, 0, pc);
    if (last) {
        s->barrier.arrived = 0;
        s->barrier.open = NULL;
        __atomic_store_n(&g->done, 1, __ATOMIC_RELEASE); /* pairs with the load below */
    }
    gl_spin_unlock(&s->lock);
    if (last) {
        gl_os_futex_wake(&g->done, INT32_MAX);
    } else {
        rt_leave(); /* we may sleep: signal handlers run */
        while (!__atomic_load_n(&g->done, __ATOMIC_ACQUIRE)) /* pairs with the store above */
            gl_os_futex_wait(&g->done, 0, NULL, false);
        rt_enter_always();
    }
    gl_spin_lock(&s->lock);
    if (t)
        gl_sink(t->core, &g->sync);
    if (t && rt.recording)
        rt_record_object(t, GL_OP_BAR_OUT, &g->record, addr, 0, pc);
    s->barrier.inside--;
    if (--g->inside == 0) {
        gl_sync_free(rt.core, &g->sync);
        gl_arena_free(g, sizeof *g);
    }
    bool orphan = s->addr == 0 && s->barrier.inside == 0; /* destroyed while we were leaving */
    gl_spin_unlock(&s->lock);
    if (orphan)
        rt_object_free(s);
    return last ? -1 : 0; /* PTHREAD_BARRIER_SERIAL_THREAD */
}
