/* SPDX-License-Identifier: Apache-2.0
 *
 * A lock that calls nothing we intercept.  It is meant for short critical sections, but a holder may
 * be descheduled, so a waiter ends on the futex.
 *
 *     word   0 free    1 held    2 held, and somebody may sleep on it
 *
 * 2 may be set wrongly (a needless wake), never clear wrongly: a sleeper always leaves it at 2.
 */
#include "platform/platform.h"

enum { SPIN_ROUNDS = 96 }; /* past gl_os_pause()'s pauses: a few yields, then sleep */

static bool spin_try(uint32_t *word, uint32_t held)
{
    uint32_t zero = 0;
    /* acquire: pairs with gl_spin_unlock() */
    return __atomic_compare_exchange_n(word, &zero, held, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

bool gl_spin_try(struct gl_spin *l)
{
    return spin_try(&l->word, 1);
}

void gl_spin_lock(struct gl_spin *l)
{
    for (unsigned n = 0; n < SPIN_ROUNDS; n++) {
        /* relaxed: only a guess whether trying is worth the cache line; stale tries later */
        if (__atomic_load_n(&l->word, __ATOMIC_RELAXED) == 0 && spin_try(&l->word, 1))
            return;
        gl_os_pause(n);
    }
    /* acquire: pairs with gl_spin_unlock().  Taken with 2, because others may sleep beside us. */
    while (__atomic_exchange_n(&l->word, 2, __ATOMIC_ACQUIRE) != 0)
        gl_os_futex_wait(&l->word, 2, NULL, false);
}

void gl_spin_unlock(struct gl_spin *l)
{
    /* release: pairs with spin_try(), the exchange in gl_spin_lock() and gl_spin_is_free() */
    if (__atomic_exchange_n(&l->word, 0, __ATOMIC_RELEASE) == 2)
        gl_os_futex_wake(&l->word, 1);
}

bool gl_spin_is_free(const struct gl_spin *l)
{
    return __atomic_load_n(&l->word, __ATOMIC_ACQUIRE) == 0; /* acquire: pairs with gl_spin_unlock() */
}
