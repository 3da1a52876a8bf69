/* SPDX-License-Identifier: Apache-2.0
 *
 * Who holds a program's own locks, see own_lock.h.
 *
 * An annotation may also name the address of a lock of the library's, to give it up and take it back in the name of its holder (OpenSSL's locks for RCU): that lock is meant.
 *
 * An entry belongs to the object of the address that has its cookie: when the memory was freed, or the lock made again, it is
 * another's and begins anew.  Entries of locks that are not destroyed stay, like the locks' identities.
 */
#include "native/own_lock.h"

#include "core/atomic.h"
#include "native/chains.h"
#include "native/misuse.h"

struct own {
    struct rt_chained link;
    uintptr_t addr;
    uint32_t cookie;  /* of the object that it tells of */
    uint32_t writer;  /* tid + 1 of the thread that holds it alone; 0: none does */
    uint32_t depth;   /* how often that one took it */
    uint32_t readers; /* how often it is held for reading */
    uint32_t forks;   /* when it was looked at last */
    bool reentrant;
    uint8_t made; /* RT_OWN_STATIC, RT_OWN_NOT_STATIC */
};

static struct {
    struct gl_spin lock; /* guards the rest */
    uint32_t forks;      /* of which this process is the child */
    struct rt_chains all;
} owns;

/* Under the lock; NULL: nothing is known of it. */
static struct own *known(uintptr_t addr)
{
    struct rt_chained *at = *rt_chain(&owns.all, rt_hash(addr >> 3));
    while (at && ((struct own *)at)->addr != addr)
        at = at->next;
    return (struct own *)at;
}

/* Under the lock; NULL: no memory. */
static struct own *find(uintptr_t addr, uint32_t cookie, uint32_t self)
{
    struct own *o = known(addr);
    if (!o && (o = gl_arena_alloc(sizeof *o))) {
        *o = (struct own){.addr = addr};
        rt_chain_add(&owns.all, &o->link, rt_hash(addr >> 3));
    }
    if (o && o->cookie != cookie)
        *o = (struct own){.link = o->link, .addr = addr, .cookie = cookie, .forks = owns.forks};
    if (o && o->forks != owns.forks) {
        o->forks = owns.forks;
        o->readers = 0;
        o->writer = o->writer == self ? self : 0;
    }
    return o;
}

static void forget(struct own *o)
{
    rt_chain_remove(&owns.all, &o->link);
    gl_arena_free(o, sizeof *o);
}

/* The state of the lock, with `owns` locked; NULL: nothing is known, and it is not. */
static struct own *enter(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    struct rt_lock_state state = {0};
    (void)rt_lock_state(t, addr, RT_RWLOCK, pc, RT_LOCK_OWN, &state);
    if (!state.cookie || rt_tls.ignore_sync)
        return NULL;
    gl_spin_lock(&owns.lock);
    struct own *o = find(addr, state.cookie, t->tid + 1);
    if (!o)
        gl_spin_unlock(&owns.lock);
    return o;
}

static void mistake(struct rt_thread *t, uintptr_t addr, enum gl_report_type type, uintptr_t pc)
{
    rt_misuse_lock(t, type, addr, RT_RWLOCK, pc);
}

void rt_own_created(struct rt_thread *t, uintptr_t addr, unsigned how, uintptr_t pc)
{
    if (!(how & RT_OWN_STATIC))
        rt_sync_create(t, addr, RT_RWLOCK, pc);
    struct own *o = enter(t, addr, pc);
    if (!o)
        return;
    o->reentrant |= (how & RT_OWN_REENTRANT) != 0;
    o->made = how & (RT_OWN_STATIC | RT_OWN_NOT_STATIC);
    gl_spin_unlock(&owns.lock);
}

void rt_own_destroyed(struct rt_thread *t, uintptr_t addr, unsigned how, uintptr_t pc)
{
    struct own *o = how & RT_OWN_STATIC ? NULL : enter(t, addr, pc);
    if (how & RT_OWN_STATIC)
        return;
    if (o) {
        bool held = o->writer || o->readers;
        if (o->made & RT_OWN_STATIC || (how & ~o->made & RT_OWN_NOT_STATIC)) {
            gl_spin_unlock(&owns.lock);
            return;
        }
        forget(o);
        gl_spin_unlock(&owns.lock);
        if (held)
            mistake(t, addr, GL_REPORT_DESTROY_LOCKED, pc);
    }
    rt_sync_destroy(t, addr, RT_RWLOCK, pc);
}

void rt_own_wanted(uintptr_t addr, unsigned how, uintptr_t pc)
{
    if (rt_tls.depth || rt_tls.ignore_sync || !rt_tls.self || !rt_tls.engine->n_held)
        return;
    bool again = how & RT_OWN_REENTRANT;
    struct rt_thread *t = rt_enter();
    if (!t)
        return;
    if (rt_lock_is_lent(t, addr)) { /* nobody waits for what it holds in truth */
        rt_leave();
        return;
    }
    struct own *o = enter(t, addr, pc);
    if (o) {
        /* A reader may read on.  Who upgrades may be right: only the lock's own code knows. */
        again |= o->reentrant || o->writer != t->tid + 1;
        gl_spin_unlock(&owns.lock);
    }
    rt_leave();
    rt_lock_wanted(addr, RT_RWLOCK, !(how & RT_OWN_READ), again, pc);
}

void rt_own_locked(struct rt_thread *t, uintptr_t addr, unsigned how, uint32_t times, uintptr_t pc)
{
    bool reads = how & RT_OWN_READ, wrong = false, stale = false;
    if (!reads && rt_lock_take_back(t, addr, pc))
        return;
    struct own *o = enter(t, addr, pc);
    if (o) {
        o->reentrant |= (how & RT_OWN_REENTRANT) != 0;
        /* Once more by its writer: it did not wait for itself, so it may; but reading it then needs a lock for that. */
        wrong = o->writer && (o->writer != t->tid + 1 || (reads && !o->reentrant));
        if (reads) {
            o->readers += times;
        } else {
            stale = o->writer != t->tid + 1;
            o->depth = stale ? times : o->depth + times;
            o->writer = t->tid + 1;
        }
        gl_spin_unlock(&owns.lock);
    }
    if (stale) /* of its own holds another thread's mistakes may have left one */
        rt_lock_forget_holds(t, addr, RT_RWLOCK);
    for (uint32_t i = 0; i < times; i++)
        (reads ? rt_rwlock_read_acquired : rt_rwlock_write_acquired)(t, addr, pc);
    if (wrong)
        mistake(t, addr, reads ? GL_REPORT_BAD_READ_LOCK : GL_REPORT_DOUBLE_LOCK, pc);
}

uint32_t rt_own_unlocking(struct rt_thread *t, uintptr_t addr, unsigned how, bool all, uintptr_t pc)
{
    bool reads = how & RT_OWN_READ, wrong = false;
    uint32_t times = 1, self = t->tid + 1;
    enum gl_report_type type = GL_REPORT_BAD_UNLOCK;
    if (!reads && rt_lock_lend(t, addr, pc))
        return times;
    struct own *o = enter(t, addr, pc);
    if (o && reads) {
        wrong = o->writer || !o->readers;
        type = o->writer ? GL_REPORT_BAD_READ_UNLOCK : GL_REPORT_BAD_UNLOCK;
        o->readers -= o->readers > 0;
    } else if (o) {
        wrong = o->writer != self;
        times = wrong ? 1 : all ? o->depth : 1;
        if (!wrong && (o->depth -= times) == 0)
            o->writer = 0;
    }
    if (o)
        gl_spin_unlock(&owns.lock);
    if (wrong)
        mistake(t, addr, type, pc);
    else
        for (uint32_t i = 0; i < times; i++)
            rt_rwlock_releasing(t, addr, pc);
    return times;
}

void rt_own_moved(uintptr_t src, uintptr_t dst, size_t n)
{
    struct rt_chained *moved = NULL;
    gl_spin_lock(&owns.lock);
    for (size_t i = 0; i < rt_chains_count(&owns.all); i++)
        for (struct rt_chained *at = *rt_chain_number(&owns.all, i), *next; at; at = next) {
            next = at->next;
            if (((struct own *)at)->addr - src >= n)
                continue;
            rt_chain_remove(&owns.all, at);
            at->next = moved;
            moved = at;
        }
    for (struct own *o; (o = (struct own *)moved);) {
        moved = moved->next;
        o->addr += dst - src;
        struct own *before = known(o->addr); /* of a lock that was there before */
        if (before)
            forget(before);
        rt_chain_add(&owns.all, &o->link, rt_hash(o->addr >> 3));
    }
    gl_spin_unlock(&owns.lock);
}

void rt_own_forked(void)
{
    owns.forks++; /* nobody was inside the runtime at the fork, so the lock is free */
}
