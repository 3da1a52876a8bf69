/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock that calls nothing we intercept.  It is meant for short critical sections, but a holder may
 * be descheduled, so a waiter ends on the futex.
 *
 *     word   0 free    1 held    2 held, and somebody may sleep on it
 *
 * To give it back takes no locked instruction: who begins to sleep at that very moment is not woken, and looks again when its time is over.
 * So neither is a full fence: what a thread does after gl_spin_unlock() may be seen before what it did under the lock by those
 * who do not take it.
 */
#ifndef GL_PLATFORM_SPIN_H
#define GL_PLATFORM_SPIN_H

#include <stdbool.h>
#include <stdint.h>

struct gl_spin { uint32_t word; }; /* zero-initialised; not recursive */

void gl_spin_wait(struct gl_spin *l);        /* spins, then yields, then sleeps until it has the lock */
void gl_spin_wake(const struct gl_spin *l);

/* From now on a thread that waits here for a second or longer calls `leave`, which does not return, instead of waiting on: for one that may itself have what it
 * waits for.  One thread at a time; tid 0: no more. */
void gl_spin_hurry(uint32_t tid, void (*leave)(void));

static inline bool gl_spin_try(struct gl_spin *l)
{
    uint32_t zero = 0;
    /* acquire: pairs with gl_spin_unlock() */
    return __atomic_compare_exchange_n(&l->word, &zero, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static inline void gl_spin_lock(struct gl_spin *l)
{
    if (__builtin_expect(!gl_spin_try(l), 0))
        gl_spin_wait(l);
}

static inline void gl_spin_unlock(struct gl_spin *l)
{
    uint32_t was = __atomic_load_n(&l->word, __ATOMIC_RELAXED); /* relaxed: only whom to wake */
    /* release: pairs with gl_spin_try(), gl_spin_wait() and gl_spin_is_free() */
    __atomic_store_n(&l->word, 0, __ATOMIC_RELEASE);
    if (__builtin_expect(was == 2, 0))
        gl_spin_wake(l);
}

/* And if so, what was done under it before is visible. */
static inline bool gl_spin_is_free(const struct gl_spin *l)
{
    return __atomic_load_n(&l->word, __ATOMIC_ACQUIRE) == 0; /* acquire: pairs with gl_spin_unlock() */
}

#endif
