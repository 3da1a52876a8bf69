/* SPDX-License-Identifier: Apache-2.0
 *
 * Locks: what their interceptors tell.  The objects are sync.c's.
 */
#include "core/sweep.h"
#include "native/misuse.h"
#include "native/sync_find.h"

#include <pthread.h>

bool rt_lock_state(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc, enum rt_lock_ask ask,
                   struct rt_lock_state *out)
{
    struct rt_sync *s = rt_sync_get(t, addr, kind, true, pc, NULL);
    if (!s)
        return false;
    bool first = !s->broken;
    s->broken |= ask == RT_LOCK_BREAKS;
    if (ask == RT_LOCK_OWN)
        s->own = s->met = true;
    uint32_t *serial = kind == RT_RWLOCK ? &s->rwlock.serial : &s->mutex.serial, cookie = rt_lock_number(s, serial);
    *out = (struct rt_lock_state){
        .cookie = cookie, .lock_stack = rt_stack_after(t, s->lock_path, s->lock_pc), .serial = *serial};
    gl_spin_unlock(&s->lock);
    return first;
}

/* After an acquire by t, which held `before` locks: for reports. */
static void taken(struct rt_thread *t, struct rt_sync *s, uint32_t before, uintptr_t pc)
{
    if (t->core->n_held == before)
        return; /* once more */
    s->lent = false;
    s->lock_pc = pc;
    s->lock_path = rt_path_here(t);
    s->lock_tid = t->tid;
    s->lock_sweeps = gl_core_sweeps(rt.core);
}

/* The first use of a lock by another thread than the one that made it, before what it acquires: locked as before, or NULL if it is gone.
 * What comes after the release of such a use is ordered after the making: so are all later uses, but after a use for reading only those
 * that write.  Without a call that made the lock, its memory may have been written to do so: the first use of all is compared with that,
 * and its thread then stands for the maker.  In a record every use is an access: who reads it knows nothing else of the last one. */
static __attribute__((noinline)) struct rt_sync *meets(struct rt_thread *t, struct rt_sync *s, bool reads, uintptr_t pc)
{
    uintptr_t addr = s->addr;
    uint32_t kind = s->kind;
    if (!s->maker) {
        s->maker = t->core->own;
    } else if (reads) {
        uint32_t number = rt_lock_number(s, &s->rwlock.serial);
        s->read = true;
        t->read[number % RT_READ] = number; /* one that gives way to it is compared again */
    } else {
        s->met = true;
    }
    gl_spin_unlock(&s->lock);
    rt_object_used(t, addr, pc);
    return rt_sync_get(t, addr, kind, true, pc, NULL);
}

static inline struct rt_sync *get_lock(struct rt_thread *t, uintptr_t addr, uint32_t kind, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_get(t, addr, kind, true, pc, NULL);
    return RT_LIKELY(!s || ((s->met || s->maker == t->core->own) && !rt.recording)) ? s : meets(t, s, false, pc);
}

static inline struct rt_sync *get_rwlock(struct rt_thread *t, uintptr_t addr, bool reads, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_get(t, addr, RT_RWLOCK, true, pc, NULL);
    if (!s)
        return NULL;
    if (s->read && !reads)
        s->met = true; /* it comes after the releases of all who have read */
    bool known = s->met || s->maker == t->core->own || (reads && s->number && t->read[s->number % RT_READ] == s->number);
    return RT_LIKELY(known && !rt.recording) ? s : meets(t, s, reads, pc);
}

void rt_mutex_acquired(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : get_lock(t, addr, kind, pc);
    if (!s)
        return;
    uint32_t before = t->core->n_held;
    s->mutex.handed = true; /* libc lets a thread give up what another holds: no segment goes on (docs/algorithm.md, 8b) */
    gl_mutex_acquired(t->core, &s->mutex, rt_lock_number(s, &s->mutex.serial));
    if (RT_UNLIKELY(rt.recording))
        rt_record_acquired(t, rt_sync_record(s), addr, 1, pc);
    taken(t, s, before, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
}

bool rt_mutex_releasing(struct rt_thread *t, uintptr_t addr, enum rt_kind kind, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : rt_sync_get(t, addr, kind, true, pc, NULL);
    if (!s)
        return true;
    bool held = gl_mutex_releasing(t->core, &s->mutex);
    if (RT_UNLIKELY(!held)) /* unlocked, and not taken back before: it is nobody's to take back any more */
        s->lent = false;
    if (RT_UNLIKELY(rt.recording))
        rt_record_releasing(t, rt_sync_record(s), addr, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
    return held;
}

bool rt_lock_is_held(const struct rt_thread *t, uintptr_t addr, enum rt_kind kind, bool *exclusive)
{
    for (uint32_t i = t->core->n_held; i-- > 0;) {
        const struct rt_lock_info *info = rt_lock_entry(t->core->held[i].cookie);
        if (info && info->addr == addr && info->kind == kind && !info->dead) {
            *exclusive = t->core->held[i].exclusive;
            return true;
        }
    }
    return false;
}

bool rt_lock_is_own(struct rt_thread *t, uintptr_t addr, enum rt_kind kind)
{
    struct rt_sync *s = rt_sync_get(t, addr, kind, false, 0, NULL);
    bool own = s && s->own;
    rt_sync_unlock(s);
    return own;
}

/* Memory that is one with the parent's, or else a copy, as of a lock that is called shared and lies in memory that is not.  A spin lock does not say. */
bool rt_lock_is_others(uintptr_t addr, enum rt_kind kind)
{
    enum { PSHARED = 128 }; /* in glibc's kind */
    const pthread_mutex_t *m = (const pthread_mutex_t *)addr;
    const pthread_rwlock_t *l = (const pthread_rwlock_t *)addr;
    if (!gl_os_is_readable(addr, sizeof *l))
        return false;
    bool called = kind == RT_SPIN || (kind == RT_MUTEX ? (m->__data.__kind & PSHARED) != 0 : l->__data.__shared != 0);
    return called && gl_os_is_shared(addr, kind != RT_SPIN);
}

void rt_lock_forget_holds(struct rt_thread *t, uintptr_t addr, enum rt_kind kind)
{
    bool any = false;
    for (uint32_t i = t->core->n_held; i-- > 0;) {
        const struct rt_lock_info *info = rt_lock_entry(t->core->held[i].cookie);
        if (!info || info->addr != addr || info->kind != kind || !t->core->held[i].exclusive)
            continue;
        any = true;
        gl_held_drop(t->core, t->core->held[i].serial);
    }
    if (any)
        rt_locks_changed();
}

/* ---- annotations at a lock of the library's ---- */

static const enum rt_kind of_library[] = {RT_RWLOCK, RT_MUTEX, RT_SPIN};
enum { KINDS = sizeof of_library / sizeof of_library[0] };

static uint32_t serial_of(const struct rt_sync *s) { return s->kind == RT_RWLOCK ? s->rwlock.serial : s->mutex.serial; }

bool rt_lock_lend(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    for (int i = 0; i < KINDS; i++) {
        struct rt_sync *s = rt_sync_get(t, addr, of_library[i], false, 0, NULL);
        if (!s)
            continue;
        const struct gl_held *h = serial_of(s) ? gl_held_find(t->core, serial_of(s)) : NULL;
        bool own = s->own, lends = !own && h && h->exclusive;
        s->lent |= lends;
        gl_spin_unlock(&s->lock);
        if (own)
            return false;
        if (!lends)
            continue;
        if (of_library[i] == RT_RWLOCK)
            rt_rwlock_releasing(t, addr, pc);
        else
            (void)rt_mutex_releasing(t, addr, of_library[i], pc);
        return true;
    }
    return false;
}

/* The kind of the one that t has lent, which it may take back; 0: none. */
static uint32_t lent_kind(struct rt_thread *t, uintptr_t addr, bool takes)
{
    for (int i = 0; i < KINDS; i++) {
        struct rt_sync *s = rt_sync_get(t, addr, of_library[i], false, 0, NULL);
        if (!s)
            continue;
        bool mine = s->lent && s->lock_tid == t->tid;
        if (mine && takes)
            s->lent = false;
        gl_spin_unlock(&s->lock);
        if (mine)
            return of_library[i];
    }
    return 0;
}

bool rt_lock_is_lent(struct rt_thread *t, uintptr_t addr) { return lent_kind(t, addr, false) != 0; }

bool rt_lock_take_back(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    uint32_t kind = lent_kind(t, addr, true);
    if (kind == RT_RWLOCK)
        rt_rwlock_write_acquired(t, addr, pc);
    else if (kind)
        rt_mutex_acquired(t, addr, (enum rt_kind)kind, pc);
    return kind != 0;
}

bool rt_mutex_is_held(struct rt_thread *t, uintptr_t addr)
{
    struct rt_sync *s = rt_sync_get(t, addr, RT_MUTEX, false, 0, NULL);
    bool held = s && s->mutex.serial && gl_held_find(t->core, s->mutex.serial);
    rt_sync_unlock(s);
    return held;
}

void rt_mutex_robust(struct rt_thread *t, uintptr_t addr)
{
    struct rt_sync *s = rt_sync_get(t, addr, RT_MUTEX, false, 0, NULL);
    if (s)
        s->robust = true;
    rt_sync_unlock(s);
}

bool rt_mutex_passes_on(struct rt_thread *t, uintptr_t addr)
{
    struct rt_sync *s = rt_sync_get(t, addr, RT_MUTEX, false, 0, NULL);
    bool passes = s && s->robust && s->mutex.serial && gl_held_find(t->core, s->mutex.serial);
    rt_sync_unlock(s);
    return passes;
}

uint32_t rt_mutex_wait_begin(struct rt_thread *t, uintptr_t mutex, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : rt_sync_get(t, mutex, RT_MUTEX, true, pc, NULL);
    if (!s)
        return 0;
    uint32_t depth = gl_mutex_wait_begin(t->core, &s->mutex);
    if (RT_UNLIKELY(rt.recording))
        rt_record_given_up(t, rt_sync_record(s), mutex, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
    return depth;
}

void rt_mutex_wait_end(struct rt_thread *t, uintptr_t mutex, uint32_t depth, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : rt_sync_get(t, mutex, RT_MUTEX, true, pc, NULL);
    if (!s)
        return;
    uint32_t before = t->core->n_held;
    gl_mutex_wait_end(t->core, &s->mutex, depth, rt_lock_number(s, &s->mutex.serial));
    if (RT_UNLIKELY(rt.recording))
        rt_record_acquired(t, rt_sync_record(s), mutex, depth ? depth : 1, pc);
    taken(t, s, before, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
}

void rt_rwlock_read_acquired(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : get_rwlock(t, addr, true, pc);
    if (!s)
        return;
    uint32_t before = t->core->n_held;
    gl_rwlock_read_acquired(t->core, &s->rwlock, rt_lock_number(s, &s->rwlock.serial));
    if (RT_UNLIKELY(rt.recording))
        rt_record_rwlock_acquired(t, rt_sync_record(s), addr, false, pc);
    taken(t, s, before, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
}

void rt_rwlock_write_acquired(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : get_rwlock(t, addr, false, pc);
    if (!s)
        return;
    uint32_t before = t->core->n_held;
    gl_rwlock_write_acquired(t->core, &s->rwlock, rt_lock_number(s, &s->rwlock.serial));
    if (RT_UNLIKELY(rt.recording))
        rt_record_rwlock_acquired(t, rt_sync_record(s), addr, true, pc);
    taken(t, s, before, pc);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
}

void rt_rwlock_releasing(struct rt_thread *t, uintptr_t addr, uintptr_t pc)
{
    struct rt_sync *s = rt_sync_unseen(pc) ? NULL : rt_sync_get(t, addr, RT_RWLOCK, true, pc, NULL);
    if (!s)
        return;
    struct gl_held *h = s->rwlock.serial ? gl_held_find(t->core, s->rwlock.serial) : NULL;
    if (RT_UNLIKELY(!h))
        s->lent = false;
    if (RT_UNLIKELY(rt.recording))
        rt_record_rwlock_releasing(t, rt_sync_record(s), addr, h && !h->exclusive, pc);
    if (h && h->exclusive)
        gl_rwlock_write_releasing(t->core, &s->rwlock);
    else
        gl_rwlock_read_releasing(t->core, &s->rwlock);
    gl_spin_unlock(&s->lock);
    rt_locks_changed();
}
