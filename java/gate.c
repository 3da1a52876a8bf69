/* SPDX-License-Identifier: Apache-2.0
 *
 * See gate.h.  Each thread of the system that came in once has a place of its own, in a list that only grows; a thread that ends leaves its
 * place to another one.
 */
#include "java/gate.h"

#include <pthread.h>

#include "core/atomic.h"
#include "platform/platform.h"

#define ROUNDS 4000u /* of waiting for those inside; the later ones give the processor away */

struct place {
    _Alignas(64) _Atomic uint32_t depth; /* written by its thread alone */
    struct place *next, *free;           /* of all; of those that nobody has */
};

static struct {
    struct gl_spin lock;     /* guards the lists */
    struct place *all, *free;
    pthread_key_t key;
    bool can;                /* be closed */
    bool registered;         /* for membarrier: put off, since it takes as long as half of the JVM's start; by who closes */
    uint32_t closed;         /* waited on */
} gate;

static __thread struct place *mine __attribute__((tls_model("initial-exec")));

static void give_back(void *place)
{
    struct place *p = place;
    mine = NULL;
    gl_spin_lock(&gate.lock);
    p->free = gate.free;
    gate.free = p;
    gl_spin_unlock(&gate.lock);
}

bool gl_jgate_begin(void)
{
    gate.can = pthread_key_create(&gate.key, give_back) == 0 && gl_os_membarrier_known();
    return gate.can;
}

/* NULL: no memory; then nobody can wait for this thread, and there is no such moment any more. */
static struct place *place_new(void)
{
    gl_spin_lock(&gate.lock);
    struct place *p = gate.free;
    if (p)
        gate.free = p->free;
    gl_spin_unlock(&gate.lock);
    if (!p && (p = gl_arena_alloc(sizeof *p))) {
        gl_spin_lock(&gate.lock);
        p->next = gate.all;
        gate.all = p;
        gl_spin_unlock(&gate.lock);
    }
    if (!p)
        __atomic_store_n(&gate.can, false, __ATOMIC_SEQ_CST);
    else
        (void)pthread_setspecific(gate.key, p); /* else its place is lost when it ends */
    return mine = p;
}

void gl_jgate_in(void)
{
    struct place *p = mine;
    if (!__atomic_load_n(&gate.can, __ATOMIC_RELAXED) || (!p && !(p = place_new()))) {
        while (__atomic_load_n(&gate.closed, __ATOMIC_ACQUIRE)) /* for the last time; pairs with gl_jgate_open() */
            (void)gl_os_futex_wait(&gate.closed, 1, NULL, false);
        return;
    }
    uint32_t depth = gl_load_relaxed(&p->depth);
    for (;;) {
        gl_store_relaxed(&p->depth, depth + 1);
        atomic_signal_fence(memory_order_seq_cst); /* gl_jgate_close() makes it a fence of all: it sees us inside, or we see it closed */
        if (depth || !__atomic_load_n(&gate.closed, __ATOMIC_ACQUIRE)) /* acquire: pairs with gl_jgate_open() */
            return;
        __atomic_store_n(&p->depth, depth, __ATOMIC_RELEASE);
        while (__atomic_load_n(&gate.closed, __ATOMIC_ACQUIRE))
            (void)gl_os_futex_wait(&gate.closed, 1, NULL, false);
    }
}

void gl_jgate_out(void)
{
    struct place *p = mine;
    if (p && gl_load_relaxed(&p->depth))
        __atomic_store_n(&p->depth, gl_load_relaxed(&p->depth) - 1, __ATOMIC_RELEASE); /* pairs with all_out() */
}

static bool all_out(void)
{
    bool out = true;
    gl_spin_lock(&gate.lock);
    for (const struct place *p = gate.all; p && out; p = p->next)
        out = p == mine || !__atomic_load_n(&p->depth, __ATOMIC_ACQUIRE); /* pairs with gl_jgate_out() */
    gl_spin_unlock(&gate.lock);
    return out;
}

bool gl_jgate_close(void)
{
    if (!gate.registered && !(gate.registered = gl_os_membarrier_register()))
        return false;
    __atomic_store_n(&gate.closed, 1, __ATOMIC_SEQ_CST);
    gl_os_membarrier();
    for (unsigned n = 0; n < ROUNDS && __atomic_load_n(&gate.can, __ATOMIC_SEQ_CST); n++) {
        if (all_out())
            return true;
        gl_os_pause(n);
    }
    gl_jgate_open();
    return false;
}

void gl_jgate_open(void)
{
    __atomic_store_n(&gate.closed, 0, __ATOMIC_SEQ_CST); /* pairs with gl_jgate_in() */
    gl_os_futex_wake(&gate.closed, INT32_MAX);
}
