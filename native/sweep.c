/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep over shadow memory (core/sweep.h), and over what only ids in it could name: records of threads that ended, what is told
 * of locks that are no more.  So that memory stays what it is when a program runs for weeks.
 *
 * It is due after so many segments; the thread that takes the next ids then does it, when it leaves the runtime.  All others are
 * kept out meanwhile (rt_alone_begin()): they go on until they need the runtime, and wait there.
 */
#include "core/sweep.h"
#include "core/atomic.h"
#include "native/fd.h"
#include "native/owner.h"

#define WANTED (RT_PAGE_USED | RT_PAGE_HEAP)

struct used {
    struct rt_used tids, lock_chunks, tags;
};

static bool used_new(struct rt_used *u, uint32_t n)
{
    *u = (struct rt_used){gl_os_map((n / 64 + 1) * sizeof *u->bits), n};
    if (!u->bits)
        u->n = 0; /* all are in use */
    return u->bits != NULL;
}

static void used_free(struct rt_used *u)
{
    if (u->bits)
        gl_os_unmap(u->bits, (u->n / 64 + 1) * sizeof *u->bits);
}

static void cells_of(struct gl_sweep *s, uintptr_t page)
{
    const _Atomic uint64_t *at = rt_cell_word(page), *end = at + RT_PAGE / 4 * 2;
    for (; at < end; at += 4) { /* two cells, then their sites.  relaxed: nobody changes them */
        gl_sweep_word(s, gl_load_relaxed(&at[0]));
        gl_sweep_word(s, gl_load_relaxed(&at[1]));
    }
}

/* Who allocated the blocks of the page, also freed ones that rt_heap_was() knows: reports tell.  What looks like it is taken for it. */
static void blocks_of(struct rt_used *tids, uintptr_t page)
{
    for (uintptr_t a = page; a < page + RT_PAGE; a += 8) {
        const struct rt_mark *m = rt_mark(a);
        uint32_t start = gl_load_relaxed(&m[0].heap);
        if (a % 16 == 0 ? start != 0 : (start & RT_HEAP_START) != 0)
            rt_use(tids, gl_load_relaxed(&m[1].heap) - 1);
    }
}

/* All pages that were ever used, by the low bits of their addresses.  Returns how many cells they have. */
static uint64_t pages(struct gl_sweep *s, struct rt_used *tids, struct rt_used *tags)
{
    uint64_t cells = 0;
    for (uintptr_t region = 0; region < RT_REGIONS; region++) {
        if (region % 8 == 0 && !*(const volatile uint64_t *)&rt_regions[region]) { /* eight at a time */
            region += 7;
            continue;
        }
        if (!gl_load_relaxed(&rt_regions[region]))
            continue;
        uintptr_t end = (region + 1) * RT_REGION;
        for (uintptr_t page = rt_page_next(region * RT_REGION, end, WANTED); page < end;
             page = rt_page_next(page + RT_PAGE, end, WANTED)) {
            uint8_t flags = gl_load_relaxed(rt_page(page));
            uint32_t owner = gl_load_relaxed(rt_owner(page)); /* relaxed, here and below: nobody changes it */
            if ((flags & RT_PAGE_USED) && owner == RT_OWNER_FREED) {
                gl_sweep_word(s, gl_load_relaxed(rt_freed(page)) & 0xFFFFFFFF00000000ull);
            } else if (flags & RT_PAGE_USED) {
                cells_of(s, page);
                rt_owner_use(tags, owner);
            }
            if (tids && (flags & RT_PAGE_HEAP))
                blocks_of(tids, page);
            cells += RT_PAGE / 4;
        }
    }
    return cells;
}

static void use_thread(void *used, uint32_t tid) { rt_use(&((struct used *)used)->tids, tid); }

static void use_lock(void *used, uint32_t serial)
{
    rt_use(&((struct used *)used)->lock_chunks, serial / RT_LOCK_CHUNK);
}

static void forget(struct gl_sweep *s, struct used *used)
{
    gl_sweep_uses(s, use_thread, use_lock, used);
    for (const struct rt_thread *t = rt.threads; t; t = t->next) /* it may hold a lock that was destroyed */
        for (uint32_t i = 0; t->core && i < t->core->n_held; i++) {
            use_lock(used, t->core->held[i].serial);
            use_lock(used, t->core->held[i].cookie);
        }
    rt_lock_order_uses(&used->tids);
    rt_fd_uses(&used->tids);
    rt_threads_forget(&used->tids);
    rt_locks_use(&used->lock_chunks);
    rt_locks_forget(&used->lock_chunks);
}

/* Halves that a thread met in cells, and what it told: of ids that may soon stand for other segments. */
static void forget_halves(struct rt_tls *tls)
{
    __builtin_memset(tls->scan, 0, sizeof tls->scan);
    for (unsigned i = 0; i < RT_TOLD; i++)
        if (tls->told[i].key != tls->key)
            tls->told[i] = (struct rt_told){0};
}

/* ---- who keeps what for himself ---- */

/* With no handler under way: has it begun a segment since the last one was over?  That was inside the runtime, so what handlers
 * interrupted is over, too. */
static bool went_on(const struct rt_thread *t)
{
    return !t->interrupted.handlers && t->core->count[GL_COUNT_segments] != t->interrupted.segments;
}

/* A sweep may read what is written here at any moment.  What it misses is the thread's last segment, which it keeps anyway; and that
 * cannot end before the sweep does. */
uint32_t rt_interrupted_begin(struct rt_thread *t, uintptr_t frame, bool in_filter)
{
    struct rt_interrupted *i = &t->interrupted;
    uint32_t last = gl_thread_last_id(t->core), outer = i->handlers;
    if (!outer && (!in_filter || went_on(t)))
        __atomic_store_n(&i->n, 0, __ATOMIC_RELAXED);
    bool kept = !in_filter || !last;
    for (uint32_t k = 0; k < i->n && k < RT_INTERRUPTED; k++)
        kept |= i->segment[k] == last;
    if (!kept) {
        if (i->n < RT_INTERRUPTED)
            i->segment[i->n] = last;
        __atomic_store_n(&i->n, i->n + 1, __ATOMIC_RELEASE);
    }
    if (outer < RT_INTERRUPTED)
        i->frame[outer] = frame;
    __atomic_store_n(&i->handlers, outer + 1, __ATOMIC_RELEASE);
    return outer;
}

/* The filter goes on: what was kept is kept until the thread has begun a segment outside of handlers. */
void rt_interrupted_end(struct rt_thread *t, uint32_t before)
{
    struct rt_interrupted *i = &t->interrupted;
    i->segments = t->core->count[GL_COUNT_segments];
    __atomic_store_n(&i->handlers, before, __ATOMIC_RELEASE);
}

bool rt_telling_left(const struct rt_thread *t, uintptr_t here)
{
    uint32_t now = t->interrupted.handlers;
    return t->telling && (now < t->telling_in || (now == t->telling_in && here >= t->telling));
}

void rt_handlers_left(struct rt_thread *t, uintptr_t sp)
{
    struct rt_interrupted *i = &t->interrupted;
    uint32_t before = i->handlers, now = before;
    while (now && gl_os_stack_left(i->frame[(now < RT_INTERRUPTED ? now : RT_INTERRUPTED) - 1], sp))
        now--;
    if (now < before)
        rt_interrupted_end(t, now);
    if (before && !now) /* what they interrupted is left with them */
        __atomic_store_n(&i->n, 0, __ATOMIC_RELAXED);
    if (rt_telling_left(t, sp))
        t->telling = 0;
}

/* Alone: may ids be freed?  Not while the program's handler of a race runs, when a thread was interrupted too often, or when handlers
 * switch contexts. */
static bool may_free(uintptr_t here)
{
    for (struct rt_thread *t = rt.threads; t; t = t->next) {
        if (t == rt_tls.self && rt_telling_left(t, here))
            t->telling = 0; /* it was left in a way that nobody told */
        if (!t->finished && (t->telling || t->interrupted.moved || (t->core && t->interrupted.n > RT_INTERRUPTED && !went_on(t))))
            return false;
    }
    return true;
}

/* What handlers of signals interrupted may be a look at a cell, with the key that the thread had then. */
static void use_interrupted(struct gl_sweep *s)
{
    for (const struct rt_thread *t = rt.threads; t; t = t->next)
        for (uint32_t i = 0; !t->finished && i < t->interrupted.n && i < RT_INTERRUPTED; i++)
            gl_sweep_id(s, t->interrupted.segment[i]);
}

static void sweep(void)
{
    struct used used = {0};
    struct gl_sweep *s = may_free((uintptr_t)__builtin_frame_address(0)) ? gl_sweep_begin(rt.core) : NULL;
    if (!s) {
        gl_core_sweep_put_off(rt.core);
        return;
    }
    use_interrupted(s);
    uint32_t chunks = gl_lock_serial_last(rt.core) / RT_LOCK_CHUNK; /* but for the last, which gets more */
    /* The recorder names threads and locks when it likes. */
    bool all = !rt.recording && used_new(&used.tids, rt.n_threads) &&
               used_new(&used.lock_chunks, chunks < RT_LOCK_CHUNKS ? chunks : RT_LOCK_CHUNKS);
    (void)used_new(&used.tags, rt_owner_tags());
    uint64_t cells = pages(s, all ? &used.tids : NULL, &used.tags);
    rt_owner_forget(&used.tags);
    used_free(&used.tags);
    if (all && !s->failed) /* else something may name what we did not see */
        forget(s, &used);
    used_free(&used.tids);
    used_free(&used.lock_chunks);
    gl_sweep_end(s, cells);
    for (const struct rt_thread *t = rt.threads; t; t = t->next)
        if (t->tls)
            forget_halves(t->tls);
}

void rt_sweep(void)
{
    rt_enter_always();
    if (!gl_core_stopped(rt.core) && gl_core_sweep_due(rt.core)) {
        if (rt_alone_begin()) {
            sweep();
            rt_alone_end();
        } else {
            gl_core_sweep_put_off(rt.core);
        }
    }
    rt_leave();
}
