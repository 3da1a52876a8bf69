/* SPDX-License-Identifier: Apache-2.0
 *
 * From a verdict to what happens: the program's handler, the report, the end of the program.
 *
 * Collecting decides (which accesses, threads, mutexes, what the address is); report/text.h prints.  The thread that found
 * the race waits for its report before its access.
 */
#include "core/group.h"
#include "core/atomic.h"
#include "goldilocks/race.h"
#include "native/collect.h"
#include "native/fd.h"
#include "native/misuse.h"
#include "native/owner.h"
#include "report/dedup.h"

/* Guarded by the report lock. */
static struct gl_dedup seen_pairs;
static bool seen_ready;
static uint64_t quiet_pairs; /* that a suppression holds back */

/* ---- the program's handler ---- */

static struct {
    struct gl_spin lock;
    goldilocks_race_handler fn; /* guarded by lock; read without it to see whether there is one */
    void *ctx;
} handler;

RT_EXPORT goldilocks_race_handler goldilocks_set_race_handler(goldilocks_race_handler fn, void *ctx)
{
    gl_spin_lock(&handler.lock);
    goldilocks_race_handler was = handler.fn;
    __atomic_store_n(&handler.fn, fn, __ATOMIC_RELAXED); /* relaxed: rt_handler_is_set() only hints */
    handler.ctx = ctx;
    gl_spin_unlock(&handler.lock);
    return was;
}

bool rt_handler_is_set(void)
{
    return __atomic_load_n(&handler.fn, __ATOMIC_RELAXED) != NULL; /* relaxed: see above */
}

/* ---- the earlier access: its extent, from the cells that carry its site ---- */

static const unsigned width_bytes[] = {1, 2, 4, 8, 16};

/* The bytes that a half, whose site word is `s`, has from accesses at `site`.  The two may not belong together: nothing is
 * taken for granted. */
static uint32_t half_bytes_at(uint32_t half, uint32_t s, uint32_t site)
{
    uint32_t alone[2], mask = 0;
    const uint32_t *halves = gl_halves_of(rt.lists, half, alone), *sites = &s;
    if (halves != alone) {
        if (!gl_list_exists(rt.lists, s))
            return 0;
        sites = gl_list_at(rt.lists, s)->value;
    }
    for (unsigned i = 0; i < GL_GROUP_MAX && halves[i]; i++)
        for (uint32_t b = 1; b < 16; b <<= 1)
            if ((halves[i] & b) && rt_site_of_bytes(sites[i], b) == site)
                mask |= b;
    return mask;
}

/* Does the cell at `a` hold a write (a read) with this site?  *mask: its bytes.  A look without the lock: for
 * a report, of memory that may change; wrong at worst in the extent that is printed.  memcpy() has both at one site. */
static bool cell_has_site(uintptr_t a, uint32_t site, bool write, uint32_t *mask)
{
    if (!rt_address_ok(a))
        return false;
    if (gl_load_acquire(rt_owner(a)) == RT_OWNER_FREED) { /* acquire: pairs with rt_page_freed() */
        *mask = (uint32_t)gl_load_relaxed(rt_freed(a)) == site ? 0xF : 0;
        return *mask != 0;
    }
    uint64_t w = gl_load_relaxed(rt_cell_word(a)), s = gl_load_relaxed(rt_cell(a).sites);
    if (w == GL_CELL_LOCKED || w >> 32 == GL_CELL_SIDE)
        return false;
    *mask = write ? half_bytes_at((uint32_t)(w >> 32), (uint32_t)(s >> 32), site) : half_bytes_at((uint32_t)w, (uint32_t)s, site);
    return *mask != 0;
}

/* Is the page of `a` one that says itself that it was freed there? */
static bool page_has_site(uintptr_t a, uint32_t site)
{
    return rt_address_ok(a) && gl_load_acquire(rt_owner(a)) == RT_OWNER_FREED && /* acquire: as in cell_has_site() */
           (uint32_t)gl_load_relaxed(rt_freed(a)) == site;
}

/* How far a range is looked at. */
#define RANGE_MOST (1u << 16)
#define FREE_MOST (64u << 20)

static uint32_t bytes_of_site(uint32_t joined, uint32_t site, uint32_t among)
{
    uint32_t mask = 0;
    for (uint32_t b = 1; b < 16; b <<= 1)
        if ((among & b) && rt_site_of_bytes(joined, b) == site)
            mask |= b;
    return mask ? mask : among;
}

static void earlier_extent(const struct rt_finding *f, const struct rt_site *site, uintptr_t *addr, size_t *size)
{
    uint32_t mask = f->race.then_bytes ? f->race.then_bytes : 0xF, near;
    if (f->joined != f->race.then.site) /* the bytes of this one of the sites */
        mask = bytes_of_site(f->joined, f->race.then.site, mask);
    uintptr_t lo = f->word + (unsigned)__builtin_ctz(mask), hi = f->word + 32 - (unsigned)__builtin_clz(mask);
    size_t most = site->width == RT_WIDTH_FREE    ? FREE_MOST
                  : site->width >= RT_WIDTH_RANGE ? RANGE_MOST
                                                  : width_bytes[site->width];
    /* In the cells that follow, the later access has taken its place already. */
    uintptr_t later = f->addr + f->at;
    if (site->width >= RT_WIDTH_RANGE)
        while (hi >= later && hi - later < 64 && (f->bytes >> (hi - later) & 1))
            hi++;
    /* The access went on to the left when it has this cell's first byte, to the right when its last. */
    while (lo % 4 == 0 && hi - lo < most) {
        if (lo % RT_PAGE == 0 && page_has_site(lo - RT_PAGE, f->race.then.site)) {
            lo -= RT_PAGE;
            continue;
        }
        if (!cell_has_site(lo - 4, f->race.then.site, f->race.then.write, &near) || !(near & 8))
            break;
        if (site->width < RT_WIDTH_RANGE && lo % most == 0)
            break; /* aligned: it starts here */
        lo -= 32 - 28 - (unsigned)__builtin_ctz(near) > 4 ? 4 : 4 - (unsigned)__builtin_ctz(near);
    }
    if (site->width < RT_WIDTH_RANGE) {
        *addr = lo;
        *size = most;
        return;
    }
    while (hi % 4 == 0 && hi - lo < most) {
        if (hi % RT_PAGE == 0 && page_has_site(hi, f->race.then.site)) {
            hi += RT_PAGE;
            continue;
        }
        if (!cell_has_site(hi, f->race.then.site, f->race.then.write, &near) || !(near & 1))
            break;
        hi += 32 - (unsigned)__builtin_clz(near);
    }
    size_t one = site->width > RT_WIDTH_SIZED ? site->width - RT_WIDTH_SIZED : most;
    if (hi - lo > one) { /* several in a row: the one with the racing bytes */
        uintptr_t raced = f->word + (unsigned)__builtin_ctz(mask);
        if ((hi - lo) % one == 0)
            lo += (raced - lo) / one * one;
        else if (raced - lo >= one) /* of the first or the last a part is gone: any that has them */
            lo = raced < hi - one ? raced : hi - one;
        hi = lo + one;
    }
    *addr = lo;
    *size = hi - lo;
}

/* ---- a race ---- */

static enum gl_report_kind kind_of(const struct gl_race_access *a, const struct rt_site *s)
{
    if (s->width == RT_WIDTH_FREE)
        return GL_REPORT_FREE;
    if (a->atomic)
        return a->write ? GL_REPORT_ATOMIC_WRITE : GL_REPORT_ATOMIC_READ;
    return a->write ? GL_REPORT_WRITE : GL_REPORT_READ;
}

static const char *who(uint32_t tid, char buf[24])
{
    if (tid == (rt.go ? 1u : 0u))
        return rt.go ? "the main goroutine" : "the main thread";
    gl_format(buf, 24, rt.go ? "goroutine %u" : "thread T%u", tid);
    return buf;
}

/* True of every race; the locks say what comes nearest to an order. */
static void add_why(struct rt_report *p, bool of_object)
{
    const struct gl_report_access *now = &p->r.access[0], *then = &p->r.access[1];
    char b1[24], b2[24];
    bool common = false, written = false;
    for (size_t i = 0; i < now->n_held; i++)
        for (size_t k = 0; k < then->n_held; k++)
            if (now->held[i].mutex == then->held[k].mutex) {
                common = true;
                written |= now->held[i].write || then->held[k].write;
            }
    const char *locks = common && !written ? "both hold a lock in common, but only for reading"
                        : now->n_held && then->n_held ? "the locks that they hold are different ones"
                        : now->n_held || then->n_held ? "only one of them holds a lock"
                                                      : "neither holds a lock";
    const char *what = "";
    if (of_object)
        what = " (to use a lock, condition variable or barrier counts as a read of it, to make or destroy it as a write)";
    else if (p->r.location.place == GL_PLACE_FD)
        what = " (to use a file descriptor counts as a read of it, to close it as a write)";
    gl_format(p->why, sizeof p->why, "%s%snothing that %s released after its access leads to an acquire of %s before this one%s",
              rt.go ? "" : locks, rt.go ? "" : ", and ", who(then->thread, b1), who(now->thread, b2), what);
    p->r.why = p->why;
}

static uintptr_t pc_of(const struct rt_site *site)
{
    uintptr_t pc = 0;
    (void)rt_stack_pcs(site->stack, &pc, 1);
    return pc;
}

/* ThreadSanitizer looks at the second access only; gcc marks the writes of such a pointer and not its reads. */
static enum gl_report_type type_of(const struct rt_site *now, const struct rt_site *then)
{
    if (then->width == RT_WIDTH_FREE)
        return rt_is_vptr(pc_of(now)) ? GL_REPORT_VPTR_USE_AFTER_FREE : GL_REPORT_USE_AFTER_FREE;
    return rt_is_vptr(pc_of(now)) || rt_is_vptr(pc_of(then)) ? GL_REPORT_VPTR_RACE : GL_REPORT_RACE;
}

/* ThreadSanitizer calls the use of a lock an atomic read. */
static void name_lock_use(struct gl_report_access *a, const struct rt_site *s)
{
    if (rt.options.format == RT_FORMAT_TSAN && s->width == RT_WIDTH_OBJECT && a->kind == GL_REPORT_READ && rt_report_uses_lock(&a->stack))
        a->kind = GL_REPORT_ATOMIC_READ;
}

static void collect(struct rt_report *p, struct rt_thread *t, const struct rt_finding *f, uint64_t occurrences)
{
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    p->r.type = type_of(&now, &then);
    p->r.occurrences = occurrences;
    p->r.access[0] = (struct gl_report_access){.kind = kind_of(&f->race.now, &now),
                                               .address = f->addr,
                                               .size = f->size,
                                               .thread = t->tid,
                                               .stack = rt_report_stack(p, now.stack)};
    p->r.access[1] = (struct gl_report_access){
        .kind = kind_of(&f->race.then, &then), .thread = f->race.then.thread, .stack = rt_report_stack(p, then.stack)};
    name_lock_use(&p->r.access[0], &now);
    name_lock_use(&p->r.access[1], &then);
    earlier_extent(f, &then, &p->r.access[1].address, &p->r.access[1].size);
    rt_report_locks(p, 0, now.lockset, f->race.now_segment);
    rt_report_locks(p, 1, then.lockset, f->race.then_segment);
    if (then.width == RT_WIDTH_FREE)
        rt_report_freed(p, &p->r.access[1]);
    else
        rt_report_place(p, f->addr + f->at + (unsigned)__builtin_ctzll(f->bytes));
    uint32_t slept = rt_slept_after(t, f->race.then_segment);
    if (slept)
        p->r.slept_at = rt_report_stack(p, slept);
    rt_report_thread(p, t->tid);
    rt_report_thread(p, f->race.then.thread);
    if (p->r.location.place != GL_PLACE_UNKNOWN && p->r.location.place != GL_PLACE_GLOBAL)
        rt_report_thread(p, p->r.location.thread);
    add_why(p, now.width == RT_WIDTH_OBJECT || then.width == RT_WIDTH_OBJECT);
}

/* This pair of stacks in the table of those that raced, counted; NULL: no memory. */
static struct gl_dedup_entry *count_pair(struct rt_thread *t, const struct rt_finding *f)
{
    if (!seen_ready) {
        gl_dedup_init(&seen_pairs, gl_core_env(rt.core));
        seen_ready = true;
    }
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    return gl_dedup_get(&seen_pairs, (struct gl_dedup_side){rt_stack_whatever_locks(t, now.stack), kind_of(&f->race.now, &now)},
                        (struct gl_dedup_side){rt_stack_whatever_locks(t, then.stack), kind_of(&f->race.then, &then)});
}

/* Under the report lock. */
static enum rt_verdict tell(struct rt_report *p, struct rt_thread *t, const struct rt_finding *f)
{
    struct gl_dedup_entry *pair = count_pair(t, f);
    uint64_t times = pair ? pair->count : 0;
    if (pair && pair->quiet)
        return RT_HELD_BACK;
    enum rt_verdict verdict = RT_NOT_PRINTED;
    if ((times <= 1 || !rt.options.dedup) && !rt_report_full()) {
        collect(p, t, f, times);
        verdict = rt_report_tell(p);
    }
    if (verdict != RT_HELD_BACK) {
        gl_add_relaxed(&rt.races, 1);
    } else if (pair) {
        pair->quiet = true;
        quiet_pairs++;
    }
    return verdict;
}

/* A lock or the like is used where another thread makes or destroys it, or a descriptor where another closes it, and one of the two is
 * done by code that is not instrumented: what orders the two there is not seen either. */
static bool unseen_object(const struct rt_finding *f)
{
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    struct rt_fd_number number;
    bool is_object = now.width == RT_WIDTH_OBJECT || then.width == RT_WIDTH_OBJECT || rt_fd_find(f->word, &number);
    return is_object && !(rt_module_seen(pc_of(&now)) && rt_module_seen(pc_of(&then)));
}

/* Do the options ask for no report of this one? */
static bool left_out(const struct rt_finding *f)
{
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    if (!rt.options.report_bugs)
        return true;
    if (!rt.options.report_atomic_races && (f->race.now.atomic || f->race.then.atomic) && then.width != RT_WIDTH_FREE)
        return true;
    return rt_module_ignored(pc_of(&now)) || rt_module_ignored(pc_of(&then));
}

void rt_found_summary(void)
{
    uint32_t reports = gl_load_relaxed(&rt.reports);
    uint64_t races = gl_load_relaxed(&rt.races);
    if (races > reports && rt.options.format == RT_FORMAT_GOLDILOCKS) {
        char line[128];
        unsigned pairs = (unsigned)(seen_ready ? seen_pairs.used - quiet_pairs : 0);
        int n = gl_format(line, sizeof line, "Goldilocks: %llu races happened on %u %s of stacks\n", (unsigned long long)races, pairs,
                          pairs == 1 ? "pair" : "pairs");
        rt_print(line, (size_t)n);
    }
    rt_report_closing();
}

/* Calls the program's handler outside of the runtime: it may do anything, even leave by longjmp. */
static void call_handler(struct rt_thread *t, const struct rt_finding *f)
{
    gl_spin_lock(&handler.lock);
    goldilocks_race_handler fn = handler.fn;
    void *ctx = handler.ctx;
    gl_spin_unlock(&handler.lock);
    /* Not from inside itself.  A handler that left by longjmp is behind us when we are above its frame. */
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (!fn || here < rt_tls.handler_frame)
        return;
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    uintptr_t pc = 0, addr;
    size_t size;
    (void)rt_stack_pcs(now.stack, &pc, 1);
    earlier_extent(f, &then, &addr, &size);
    struct goldilocks_race race = {.struct_size = sizeof race,
                                   .addr = (const void *)(f->addr + f->at),
                                   /* of a range: the racing bytes; told once per four */
                                   .size = f->size <= 16 ? (unsigned)(f->size - f->at)
                                                         : 64 - (unsigned)__builtin_clzll(f->bytes),
                                   .is_write = f->race.now.write,
                                   .is_atomic = f->race.now.atomic,
                                   .thread = t->tid,
                                   .pc = (const void *)pc,
                                   .earlier = {.is_write = f->race.then.write,
                                               .is_atomic = f->race.then.atomic,
                                               .size = (unsigned)size,
                                               .thread = f->race.then.thread}};
    rt_tls.handler_frame = here;
    rt_leave();
    fn(&race, ctx);
    (void)rt_enter();
    rt_tls.handler_frame = 0;
}

/* Has this segment of the calling thread raced with the same earlier access on these bytes before (x++ reads,
 * then writes)?  That is one race, told at its first access.  Forgets old ones: tells twice at worst. */
static bool told_in_segment(const struct rt_finding *f)
{
    intptr_t shift = (intptr_t)(f->addr + f->at - f->word); /* of `bytes`, to count from the word */
    uint64_t bytes = shift >= 0 ? f->bytes << shift : f->bytes >> -shift;
    struct rt_told *told = &rt_tls.told[(f->word >> 2) % RT_TOLD];
    if (told->word == f->word && told->key == rt_tls.key && told->then_site == f->race.then.site) {
        bool all = (bytes & ~told->bytes) == 0;
        told->bytes |= bytes;
        return all;
    }
    *told = (struct rt_told){.word = f->word, .bytes = bytes, .key = rt_tls.key, .then_site = f->race.then.site};
    return false;
}

/* Does a suppression hold it back?  What tell() finds out too, but that comes after the program's handler. */
static bool held_back(struct rt_thread *t, const struct rt_finding *f)
{
    struct rt_report *p = rt_suppressions_any() ? rt_report_begin(false) : NULL;
    if (!p)
        return false;
    struct gl_dedup_entry *pair = count_pair(t, f);
    bool held = pair && pair->quiet;
    if (!held) {
        collect(p, t, f, 0);
        held = rt_suppressed(&p->r);
        if (held && pair) {
            pair->quiet = true;
            quiet_pairs++;
        } else if (pair) {
            pair->count--; /* tell() counts it */
        }
    }
    rt_report_end();
    return held;
}

/* Has this process been forked since the earlier access, away from the thread that made it?  What is read here was copied then, maybe while it
 * was written, and what was freed is free here; but what is written here is memory of its own. */
static bool apart(const struct rt_finding *f)
{
    if (RT_LIKELY(!rt.forked))
        return false;
    const struct gl_race *r = &f->race;
    if (r->then.write && (!r->now.write || rt_site_decode(r->then.site).width == RT_WIDTH_FREE))
        return false;
    const struct rt_thread *then = rt_thread_by_tid(r->then.thread);
    return then && (then->left || (then->epoch_at_fork && gl_core_segment(rt.core, r->then_segment).epoch < then->epoch_at_fork));
}

static void found_one(struct rt_thread *t, const struct rt_finding *found)
{
    if (gl_core_stopped(rt.core))
        return; /* a synchronization was lost: the answer may be wrong */
    if (rt_benign(found->addr + found->at, 1))
        return;
    struct rt_finding finding = *found, *f = &finding;
    uintptr_t byte = f->addr + f->at + (unsigned)__builtin_ctzll(f->bytes); /* the lowest racing one, in f->word */
    f->joined = f->race.then.site;
    f->race.then.site = rt_site_of_bytes(f->joined, 1u << (byte & 3));
    if (apart(f) || unseen_object(f))
        return;
    if (rt_handler_is_set()) {
        if (held_back(t, f))
            return;
        call_handler(t, f);
    }
    if (told_in_segment(f))
        return;
    struct rt_report *p = left_out(f) ? NULL : rt_report_begin(false);
    if (!p)
        return;
    enum rt_verdict verdict = tell(p, t, f);
    rt_report_end();
    rt_report_done(verdict);
}

void rt_found(struct rt_thread *t, const struct rt_finding *found, unsigned n)
{
    /* No sweep while the program's handler runs, outside of the runtime: it could free the segments that are asked for their locks
     * later.  A frame that we are above was left by longjmp. */
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    bool outermost = !t->telling || rt_telling_left(t, here);
    if (outermost) {
        t->telling_in = t->interrupted.handlers;
        __atomic_store_n(&t->telling, here, __ATOMIC_RELAXED); /* seen by a sweep, which waits until we are outside */
    }
    for (unsigned i = 0; i < n; i++)
        found_one(t, &found[i]);
    if (outermost)
        __atomic_store_n(&t->telling, 0, __ATOMIC_RELAXED);
}
