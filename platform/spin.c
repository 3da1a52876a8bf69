/* SPDX-License-Identifier: Apache-2.0
 *
 * See spin.h: what a lock does that is not free.  2 may be set wrongly (a needless wake), and a sleeper leaves it at 2; only an unlock that
 * looked before it was set clears it for nobody.
 */
#include "platform/spin.h"

#include <stdatomic.h>
#include <time.h>

#include "platform/platform.h"

enum {
    SPIN_ROUNDS = 96, /* past gl_os_pause()'s pauses: a few yields, then sleep */
    SLEEP_MS = 1,     /* how late one may be that nobody has woken, at first; after two sleeps twice as late, */
    TWICE = 5,        /* so often (32 ms): 600 threads that look every millisecond leave no processor to who has the lock */
    PATIENCE_S = 1    /* of who is in a hurry */
};

static struct {
    _Atomic uint32_t tid;
    void (*leave)(void); /* written before tid, by that thread */
} hurry;

void gl_spin_hurry(uint32_t tid, void (*leave)(void))
{
    hurry.leave = leave;
    atomic_store_explicit(&hurry.tid, tid, memory_order_relaxed); /* who finds its own id there wrote it */
}

void gl_spin_wait(struct gl_spin *l)
{
    for (unsigned n = 0; n < SPIN_ROUNDS; n++) {
        gl_os_pause(n);
        /* relaxed: only a guess whether trying is worth the cache line; stale tries later */
        if (__atomic_load_n(&l->word, __ATOMIC_RELAXED) == 0 && gl_spin_try(l))
            return;
    }
    /* acquire: pairs with gl_spin_unlock().  Taken with 2, because others may sleep beside us. */
    struct timespec begun, end;
    gl_os_time_in(&begun, 0);
    for (unsigned n = 0; __atomic_exchange_n(&l->word, 2, __ATOMIC_ACQUIRE) != 0; n++) {
        uint32_t who = atomic_load_explicit(&hurry.tid, memory_order_relaxed);
        unsigned ms = SLEEP_MS << (n / 2 < TWICE ? n / 2 : TWICE);
        gl_os_time_in(&end, ms);
        if (end.tv_sec > begun.tv_sec + PATIENCE_S && who && who == gl_os_tid())
            hurry.leave();
        gl_os_futex_wait(&l->word, 2, &end, false);
    }
}

void gl_spin_wake(const struct gl_spin *l)
{
    gl_os_futex_wake((uint32_t *)&l->word, 1);
}
