/* SPDX-License-Identifier: Apache-2.0
 *
 * Mistakes with locks, threads and signals that are no races, and what interceptors tell so that they are found.
 * docs/misuse.md says for users what is reported when.
 *
 * All that take a struct rt_thread are called inside the runtime by that thread, with no lock of ours held; the others from
 * outside.  They may end the program (on_race=halt).
 */
#ifndef GL_NATIVE_MISUSE_H
#define GL_NATIVE_MISUSE_H

#include "native/state.h"
#include "report/report.h"

/* ---- reports (misuse.c) ---- */

/* A mistake with the lock at addr, made by the calling thread at pc.  Once per lock. */
void rt_misuse_lock(struct rt_thread *t, enum gl_report_type type, uintptr_t addr, enum rt_kind kind, uintptr_t pc);
/* The program says that nobody should hold a lock at pc. */
void rt_misuse_held(struct rt_thread *t, uintptr_t pc);
/* A handler of a signal left errno changed.  function: the handler. */
void rt_misuse_errno(struct rt_thread *t, int signal, uintptr_t function);
/* An allocator's function was called at pc by a handler of a signal.  One that the process's only thread has sent itself, by raise() for instance, is called as a function would
 * be (POSIX.1-2017, System Interfaces 2.4.3). */
void rt_misuse_signal_unsafe(uintptr_t pc);
static inline void rt_not_in_signal(uintptr_t pc)
{
    if (RT_UNLIKELY(rt_tls.signal_frame && !rt_tls.signal_asked))
        rt_misuse_signal_unsafe(pc);
}
/* At the end of the program: threads that ended and were neither joined nor detached. */
void rt_misuse_leaks(void);

/* ---- the order of locks (deadlock.c) ---- */

/* Before the calling thread waits for a lock, from outside the runtime: does that close a cycle, does it wait for itself?
 * again: a holder may take it once more, or is none in truth. */
void rt_lock_wanted_too(uintptr_t addr, enum rt_kind kind, bool exclusive, bool again, uintptr_t pc);
static inline void rt_lock_wanted(uintptr_t addr, enum rt_kind kind, bool exclusive, bool again, uintptr_t pc)
{
    if (RT_UNLIKELY(rt_tls.self && rt_tls.engine->n_held))
        rt_lock_wanted_too(addr, kind, exclusive, again, pc);
}
/* The lock of this cookie is no more.  Under its object's lock. */
void rt_lock_ended(uint32_t cookie);
/* Does t hold the lock at addr, as far as we saw? */
bool rt_lock_is_held(const struct rt_thread *t, uintptr_t addr, enum rt_kind kind, bool *exclusive);

/* ---- virtual calls (abi_access.c) ---- */

/* Is pc one of a program's accesses to a pointer to virtual functions? */
bool rt_is_vptr(uintptr_t pc);

#endif
