/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks that a program makes itself and tells of (__tsan_mutex_*, AnnotateRWLock*, __tsan_java_mutex_*): who holds them, since no
 * library can be asked, and so which use is a mistake.
 *
 * All but rt_own_wanted() inside the runtime (depth > 0), with no lock of ours held; they may end the program (on_race=halt).
 */
#ifndef GL_NATIVE_OWN_LOCK_H
#define GL_NATIVE_OWN_LOCK_H

#include "native/runtime.h"

/* Of a lock, when it is made or taken (READ, REENTRANT), made or destroyed (STATIC: nobody destroys it in earnest; NOT_STATIC: only if it
 * was made so). */
enum { RT_OWN_READ = 1, RT_OWN_REENTRANT = 2, RT_OWN_STATIC = 4, RT_OWN_NOT_STATIC = 8 };

/* A static one may be in use already. */
void rt_own_created(struct rt_thread *t, uintptr_t addr, unsigned how, uintptr_t pc);
/* A lock that is held is reported. */
void rt_own_destroyed(struct rt_thread *t, uintptr_t addr, unsigned how, uintptr_t pc);
/* Before the wait for it, from outside the runtime. */
void rt_own_wanted(uintptr_t addr, unsigned how, uintptr_t pc);
/* Taken, so many times at once. */
void rt_own_locked(struct rt_thread *t, uintptr_t addr, unsigned how, uint32_t times, uintptr_t pc);
/* Given back, once or for `all` times that it was taken.  Returns how often that was. */
uint32_t rt_own_unlocking(struct rt_thread *t, uintptr_t addr, unsigned how, bool all, uintptr_t pc);
/* Their states are those of the locks that were at src (abi_java.c). */
void rt_own_moved(uintptr_t src, uintptr_t dst, size_t n);
/* In the child of a fork: other threads hold nothing. */
void rt_own_forked(void);

#endif
