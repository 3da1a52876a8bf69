/* SPDX-License-Identifier: Apache-2.0
 *
 * Synchronization objects by address, and what the interceptors tell about them (of locks: sync_lock.c).
 *
 * The mark of an address (shadow.h) names the first object in its eight bytes; objects there form a
 * list, told apart by address and kind.  Objects are never unmapped, so that a finder without a
 * lock meets at worst an object that became another: it locks it and looks again.
 *
 * Locks: stripe (lists of marks, by address) before object.  An object's lock covers its state in the
 * core and, for atomics and semaphores, the real operation.
 */
#include "core/atomic.h"
#include "core/sweep.h"
#include "native/misuse.h"
#include "native/omp.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/sync_find.h"

#define STRIPES 4096u

/* Locks the lists of its marks, and counts atomic operations that need no object at one of them. */
struct stripe {
    struct gl_spin lock;
    uint32_t n;
    uintptr_t at;
};
#define LOOSE_AFTER 4096u /* so many: to end that again takes some 20 us, and some hundred with a thousand threads */

static struct {
    struct stripe stripe[STRIPES];
    struct gl_spin free_lock;       /* guards free, used */
    uint32_t free, used;
} map;
_Atomic(struct rt_sync_chunk *) rt_sync_chunks[RT_SYNC_CHUNKS];

static struct stripe *counted_stripe_of(uintptr_t addr)
{
    return &map.stripe[((addr >> 3) * 0x9E3779B97F4A7C15ull) >> 52];
}
static struct gl_spin *stripe_of(uintptr_t addr) { return &counted_stripe_of(addr)->lock; }

/* The first object of the mark, under the stripe; 0: none. */
static uint32_t first_locked(uintptr_t addr)
{
    uint32_t number = gl_load_relaxed(&rt_mark(addr)->sync); /* guarded by the stripe */
    return rt_sync_is_object(number) ? number : 0;
}

/* Under the stripe, with no object at addr: an atomic operation comes that needs none.  When many did, the next ones need not lock the stripe. */
static void loosen(uintptr_t addr)
{
    struct stripe *place = counted_stripe_of(addr);
    uintptr_t at = addr & ~7ull;
    if (place->at != at) {
        if (place->n) { /* the one with the most in the end: each one of another takes one away */
            place->n--;
            return;
        }
        place->at = at;
    }
    if (++place->n < LOOSE_AFTER || gl_load_relaxed(&rt_mark(addr)->sync) || !rt.owners) /* not owners: membarrier is dear, or unknown */
        return;
    place->n = 0;
    rt_page_mark(addr, RT_PAGE_SYNC);
    gl_store_release(&rt_mark(addr)->sync, RT_SYNC_LOOSE); /* pairs with loose_begin() */
}

/* Under the stripe: whoever comes to addr from now on waits for the stripe, and whoever came before is through. */
static void tighten(uintptr_t addr)
{
    if (gl_load_relaxed(&rt_mark(addr)->sync) != RT_SYNC_LOOSE)
        return;
    gl_store_relaxed(&rt_mark(addr)->sync, 0); /* relaxed: every processor passes a fence */
    rt_sections_wait();
}

static struct rt_sync *object_new(void)
{
    gl_spin_lock(&map.free_lock);
    struct rt_sync *s = NULL;
    if (map.free) {
        s = rt_sync_at(map.free);
        map.free = gl_load_relaxed(&s->next); /* guarded by free_lock while free */
    } else if (map.used + 1 < RT_SYNC_CHUNK * RT_SYNC_CHUNKS) {
        uint32_t number = map.used + 1; /* 0 means none */
        _Atomic(struct rt_sync_chunk *) *place = &rt_sync_chunks[number / RT_SYNC_CHUNK];
        if (!gl_load_relaxed(place)) {
            struct rt_sync_chunk *fresh = gl_os_map(sizeof *fresh);
            gl_store_release(place, fresh); /* pairs with rt_sync_at() */
        }
        if (gl_load_relaxed(place)) {
            map.used = number;
            s = rt_sync_at(number);
            s->self = number;
        }
    }
    gl_spin_unlock(&map.free_lock);
    return s;
}

void rt_locks_use(struct rt_used *chunks)
{
    for (uint32_t n = 1; n <= map.used; n++) {
        const struct rt_sync *s = rt_sync_at(n);
        if (!s->addr || !s->number)
            continue;
        rt_use(chunks, s->number / RT_LOCK_CHUNK);
        rt_use(chunks, (s->kind == RT_RWLOCK ? s->rwlock.serial : s->mutex.serial) / RT_LOCK_CHUNK);
    }
    rt_locks_use_named(chunks);
}

static struct rt_sync *list_find_locked(uintptr_t addr, uint32_t kind)
{
    for (uint32_t number = first_locked(addr); number; number = gl_load_relaxed(&rt_sync_at(number)->next))
        if (rt_sync_at(number)->addr == addr && rt_sync_at(number)->kind == kind)
            return rt_sync_at(number);
    return NULL;
}

struct rt_sync *rt_sync_get_slow(struct rt_thread *t, uintptr_t addr, uint32_t kind, bool make, uintptr_t pc, struct gl_spin **stripe)
{
    struct gl_spin *place = stripe_of(addr);
    gl_spin_lock(place);
    struct rt_sync *s = list_find_locked(addr, kind);
    if (!s && make) {
        tighten(addr);
        s = object_new();
        if (!s) {
            rt_count(RT_COUNT_sync_no_memory);
            gl_core_stop(rt.core);
        } else {
            gl_spin_lock(&s->lock);
            s->addr = addr;
            s->kind = kind;
            s->number = 0;
            s->pc = pc;
            if (RT_UNLIKELY(rt.recording))
                *rt_sync_record(s) = (struct rt_recorded){0};
            s->lock_pc = 0;
            s->maker = 0;
            s->met = s->read = s->own = false;
            s->broken = false;
            s->robust = false;
            s->told = false;
            s->futex = 0;
            s->create_stack = t && pc ? rt_stack_here(t, pc) : 0;
            s->barrier.open = NULL;
            __builtin_memset(&s->rwlock, 0, sizeof s->rwlock);
            __builtin_memset(&s->barrier, 0, sizeof s->barrier);
            rt_page_mark(addr, RT_PAGE_SYNC); /* before the object can be found */
            gl_store_relaxed(&s->next, gl_load_relaxed(&rt_mark(addr)->sync)); /* guarded by the stripe */
            gl_store_release(&rt_mark(addr)->sync, s->self); /* pairs with rt_sync_seek(), no_object() */
            gl_spin_unlock(place);
            return s;
        }
    }
    if (s) {
        gl_spin_lock(&s->lock);
        s->pc = pc;
    }
    if (!s && stripe) {
        loosen(addr);
        *stripe = place;
        return NULL;
    }
    gl_spin_unlock(place);
    return s;
}

struct rt_sync *rt_object_find(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    return rt_sync_get(t, addr, kind, false, pc, NULL);
}

void rt_object_free(struct rt_sync *s)
{
    gl_spin_lock(&map.free_lock);
    gl_store_relaxed(&s->next, map.free); /* guarded by free_lock */
    map.free = s->self;
    gl_spin_unlock(&map.free_lock);
}

/* The calling thread may hold the lock of that serial, which ends: it would stay among those that are looked through at each lock. */
static void drop_holds(uint32_t serial)
{
    struct gl_thread *t = rt_tls.self ? rt_tls.self->core : NULL;
    if (!t || !t->n_held || !serial || !gl_held_find(t, serial))
        return;
    do
        gl_held_drop(t, serial);
    while (gl_held_find(t, serial)); /* for reading, more than once */
    t->again_held = UINT32_MAX; /* other locks now */
    rt_locks_changed();
}

/* Under the stripe: takes the object out of its list and ends it. */
static void end_locked(struct rt_sync *s, _Atomic uint32_t *link)
{
    gl_store_release(link, gl_load_relaxed(&s->next)); /* pairs with rt_sync_seek() */
    gl_spin_lock(&s->lock);
    switch (s->kind) {
    case RT_MUTEX:
    case RT_SPIN:
        drop_holds(s->mutex.serial);
        gl_mutex_free(rt.core, &s->mutex);
        break;
    case RT_RWLOCK:
        drop_holds(s->rwlock.serial);
        gl_rwlock_free(rt.core, &s->rwlock);
        break;
    case RT_BARRIER: break;
    default: gl_sync_free(rt.core, &s->sync); break;
    }
    if (s->number)
        rt_lock_ended(s->number);
    bool later = s->kind == RT_BARRIER && s->barrier.inside > 0; /* the last leaver gives it back */
    s->addr = 0;
    s->kind = 0;
    gl_spin_unlock(&s->lock);
    if (!later)
        rt_object_free(s);
}

enum memory { MEMORY_SAME, MEMORY_FREE, MEMORY_FRESH }; /* what becomes of the bytes of an object that ends */

#define LAST_USES 4u /* of locks in one block: who frees others with them has a race anyway */
struct rt_last_uses {
    unsigned n;
    struct rt_last_use use[LAST_USES];
};

/* All objects with lo <= addr < hi in one mark; kind 0: any.  uses: of locks that may be in use; or NULL. */
static void forget_mark(uintptr_t mark, uintptr_t lo, uintptr_t hi, uint32_t kind, enum memory memory, struct rt_last_uses *uses)
{
    _Atomic uint32_t *link = &rt_mark(mark)->sync;
    if (!gl_load_acquire(link))
        return;
    struct gl_spin *place = stripe_of(mark);
    gl_spin_lock(place);
    if (gl_load_relaxed(link) == RT_SYNC_LOOSE) { /* guarded by the stripe */
        if (memory != MEMORY_SAME)
            tighten(mark);
        gl_spin_unlock(place);
        return;
    }
    while (gl_load_relaxed(link)) { /* guarded by the stripe */
        struct rt_sync *s = rt_sync_at(gl_load_relaxed(link));
        if (s->addr >= lo && s->addr < hi && (!kind || s->kind == kind)) {
            if (s->kind == RT_ATOMIC && memory != MEMORY_SAME && rt_tls.self)
                rt_record_atomic_gone(rt_tls.self, s->addr, memory == MEMORY_FRESH);
            if (uses && uses->n < LAST_USES) {
                gl_spin_lock(&s->lock);
                uses->n += rt_last_use(rt_tls.self, s, &uses->use[uses->n]);
                gl_spin_unlock(&s->lock);
            }
            end_locked(s, link);
        } else
            link = &s->next;
    }
    gl_spin_unlock(place);
}

static void forget_range(uintptr_t p, size_t n, enum memory memory, struct rt_last_uses *uses)
{
    uintptr_t end = p + n;
    for (uintptr_t page = rt_page_next(p & ~RT_PAGE_MASK, end, RT_PAGE_SYNC); page < end;
         page = rt_page_next(page + RT_PAGE, end, RT_PAGE_SYNC)) {
        uintptr_t lo = page < p ? p : page, hi = page + RT_PAGE < p + n ? page + RT_PAGE : p + n;
        for (uintptr_t a = lo & ~7ul; a < hi; a += 8)
            forget_mark(a, lo, hi, 0, memory, uses);
    }
}

void rt_sync_forget_range(uintptr_t p, size_t n, bool fresh) { forget_range(p, n, fresh ? MEMORY_FRESH : MEMORY_FREE, NULL); }

void rt_sync_free_range(struct rt_thread *t, uintptr_t p, size_t n, uintptr_t pc)
{
    struct rt_last_uses uses;
    uses.n = 0; /* the rest is not looked at */
    forget_range(p, n, MEMORY_FREE, &uses);
    for (unsigned i = 0; RT_UNLIKELY(i < uses.n); i++)
        rt_last_use_tell(t, &uses.use[i], p, n, RT_WIDTH_FREE, pc);
}

static void renamed(uint32_t serial, uintptr_t addr)
{
    struct rt_lock_info *info = rt_lock_entry(serial);
    if (info)
        info->addr = addr;
}

void rt_sync_move(uintptr_t src, uintptr_t dst, size_t n)
{
    uint32_t moved = 0; /* a list of their numbers, by `next` */
    for (uintptr_t page = rt_page_next(src & ~RT_PAGE_MASK, src + n, RT_PAGE_SYNC); page < src + n;
         page = rt_page_next(page + RT_PAGE, src + n, RT_PAGE_SYNC)) {
        uintptr_t lo = page < src ? src : page, hi = page + RT_PAGE < src + n ? page + RT_PAGE : src + n;
        for (uintptr_t a = lo; a < hi; a += 8) {
            _Atomic uint32_t *link = &rt_mark(a)->sync;
            gl_spin_lock(stripe_of(a));
            tighten(a);
            for (uint32_t number; (number = gl_load_relaxed(link)) != 0;) { /* guarded by the stripe */
                gl_store_release(link, gl_load_relaxed(&rt_sync_at(number)->next)); /* pairs with rt_sync_seek() */
                gl_store_relaxed(&rt_sync_at(number)->next, moved); /* ours alone */
                moved = number;
            }
            gl_spin_unlock(stripe_of(a));
        }
    }
    rt_sync_forget_range(dst, n, true);
    for (uint32_t next; moved; moved = next) {
        struct rt_sync *s = rt_sync_at(moved);
        uintptr_t addr = s->addr + (dst - src);
        next = gl_load_relaxed(&s->next);
        gl_spin_lock(stripe_of(addr));
        tighten(addr);
        gl_spin_lock(&s->lock);
        s->addr = addr;
        renamed(s->number, addr);
        if (s->kind == RT_RWLOCK)
            renamed(s->rwlock.serial, addr);
        else if (s->kind == RT_MUTEX || s->kind == RT_SPIN)
            renamed(s->mutex.serial, addr);
        rt_page_mark(addr, RT_PAGE_SYNC); /* before the object can be found */
        gl_store_relaxed(&s->next, gl_load_relaxed(&rt_mark(addr)->sync)); /* guarded by the stripe */
        gl_store_release(&rt_mark(addr)->sync, s->self); /* pairs with rt_sync_seek(), no_object() */
        gl_spin_unlock(&s->lock);
        gl_spin_unlock(stripe_of(addr));
    }
}

void rt_sync_create(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    forget_mark(addr, addr, addr + 1, 0, MEMORY_SAME, NULL);
    struct rt_sync *s = rt_sync_get(t, addr, kind, true, pc, NULL);
    if (!s)
        return;
    s->maker = t->core->own;
    gl_spin_unlock(&s->lock);
}

void rt_sync_destroy(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    (void)t, (void)pc;
    forget_mark(addr, addr, addr + 1, kind, MEMORY_SAME, NULL);
}

void rt_sync_unlock(struct rt_sync *s)
{
    if (s)
        gl_spin_unlock(&s->lock);
}

void rt_object_ending(struct rt_thread *t, uintptr_t object, enum rt_kind kind, uintptr_t pc)
{
    if (rt_sync_unseen(pc) || rt_tls.ignore_accesses)
        return;
    struct rt_sync *s = rt_sync_get(t, object, kind, false, pc, NULL);
    struct rt_last_use use;
    bool told = s && rt_last_use(t, s, &use);
    rt_sync_unlock(s);
    if (told)
        rt_last_use_tell(t, &use, object, 1, RT_WIDTH_OBJECT, pc);
    else
        rt_object_made(t, object, pc);
}

/* ---- plain edges ---- */

struct rt_sync *rt_sync_lock(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    return rt_sync_get(t, addr, kind, true, pc, NULL);
}

void rt_sync_release_locked(struct rt_thread *t, struct rt_sync *s)
{
    if (!s || rt_sync_unseen(s->pc))
        return;
    gl_source(t->core, &s->sync, false, 0);
    if (RT_UNLIKELY(rt.recording))
        rt_record_edge(t, GL_OP_POST, rt_sync_record(s), s->kind, s->addr, s->pc);
}

void rt_sync_acquire_locked(struct rt_thread *t, struct rt_sync *s)
{
    if (!s || rt_sync_unseen(s->pc))
        return;
    gl_sink(t->core, &s->sync);
    if (RT_UNLIKELY(rt.recording))
        rt_record_edge(t, GL_OP_WAIT, rt_sync_record(s), s->kind, s->addr, s->pc);
}

uint32_t *rt_sync_futex_word(struct rt_sync *s)
{
    return &s->futex;
}

void rt_release(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_lock(t, addr, kind, pc);
    rt_sync_release_locked(t, s);
    rt_sync_unlock(s);
}

void rt_acquire(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_get(t, addr, kind, false, pc, NULL); /* no object: no source, nothing to take */
    rt_sync_acquire_locked(t, s);
    rt_sync_unlock(s);
}

/* ---- atomics ---- */

struct rt_atomic rt_atomic_lock(struct rt_thread *t, uintptr_t addr, bool make)
{
    struct rt_atomic a = {0};
    if (rt_tls.ignore_sync)
        return a;
    a.object = rt_sync_get(t, addr, RT_ATOMIC, make, 0, &a.stripe);
    a.s = a.object ? &a.object->sync : NULL;
    return a;
}

void rt_atomic_unlock(struct rt_atomic *a)
{
    if (a->object)
        gl_spin_unlock(&a->object->lock);
    if (a->stripe)
        gl_spin_unlock(a->stripe);
}

void rt_atomic_stored(struct rt_thread *t, struct rt_atomic *a, enum gl_order order)
{
    bool goes_on = rt.options.release_sequence == RT_RELEASE_SEQUENCE_C17 && !gl_order_releases(order) && a->s->own == t->core->own;
    if (RT_UNLIKELY(a->object->told || goes_on)) /* relaxed, it adds what a fence has released, if any */
        gl_atomic_rmw_part(t->core, a->s, order);
    else
        gl_atomic_store_part(t->core, a->s, order);
}

/* ---- annotations ---- */

/* A recording has no access here, and so no atomic: there annotations are told among themselves only. */
void rt_told_release(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    if (RT_UNLIKELY(rt.recording))
        rt_release(t, addr, RT_USER, pc);
    struct rt_atomic a = rt_sync_unseen(pc) ? (struct rt_atomic){0} : rt_atomic_lock(t, addr, true);
    if (a.s) {
        a.object->told = true;
        gl_source(t->core, a.s, false, 0);
    }
    rt_atomic_unlock(&a);
}

void rt_told_acquire(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    if (RT_UNLIKELY(rt.recording))
        rt_acquire(t, addr, RT_USER, pc);
    struct rt_atomic a = rt_sync_unseen(pc) ? (struct rt_atomic){0} : rt_atomic_lock(t, addr, true);
    if (a.s) {
        a.object->told = true; /* what is released there from now on will be asked for again */
        gl_sink(t->core, a.s);
    }
    rt_atomic_unlock(&a);
}

/* ---- atomics, at a glance ---- */

struct rt_glance rt_atomic_glance(struct rt_thread *t, uintptr_t addr, bool acquires)
{
    struct rt_sync *s = rt_tls.ignore_sync ? NULL : rt_sync_seek(addr, RT_ATOMIC, false);
    uint64_t version = s ? gl_sync_known(t->core, &s->sync, acquires) : 0;
    return (struct rt_glance){version ? s : NULL, version};
}

bool rt_atomic_same(const struct rt_glance *g, uintptr_t addr)
{
    /* After the load, an acquire.  A store sets the version before the value, a read-modify-write after it, both under the lock: who sees its value finds
     * the lock taken, or, when it is free again, the version.  Versions do not come again. */
    const struct rt_sync *s = g->object;
    return s && gl_spin_is_free(&s->lock) &&
           __atomic_load_n(&s->sync.version, __ATOMIC_RELAXED) == g->version && rt_sync_is(s, addr, RT_ATOMIC);
}
