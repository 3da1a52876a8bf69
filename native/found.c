/* SPDX-License-Identifier: Apache-2.0
 *
 * From a verdict to what happens: the program's handler, the report, the end of the program.
 *
 * Collecting decides (which accesses, threads, mutexes, what the address is); report/text.h prints.  One
 * report at a time, under report_lock; the thread that found the race waits for it before its access.
 */
#include "core/group.h"
#include "core/atomic.h"
#include "goldilocks/race.h"
#include "native/state.h"
#include "report/dedup.h"
#include "report/text.h"
#include "symbol/symbol.h"

#define MAX_PCS 256
#define MAX_HELD 64
#define MAX_THREADS 12
#define MAX_STACKS 24

static struct gl_spin report_lock; /* guards the next three and whole reports */
static struct gl_dedup seen_pairs;
static bool seen_ready;
static struct report *scratch;

/* What a report borrows while it is printed. */
struct report {
    struct gl_report r;
    struct gl_report_held held[2][MAX_HELD];
    struct gl_report_mutex mutex[2 * MAX_HELD];
    struct gl_report_thread thread[MAX_THREADS];
    uintptr_t pcs[MAX_STACKS + 2 * MAX_HELD][MAX_PCS];
    size_t stacks;
    char why[256];
};

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

/* ThreadSanitizer's hook; a program may define its own. */
RT_EXPORT __attribute__((weak)) void __tsan_on_report(void *report);
RT_EXPORT __attribute__((weak)) void __tsan_on_report(void *report)
{
    (void)report;
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

/* Does the cell at `a` hold an entry with this site?  *mask: its bytes.  A look without the lock: for
 * a report, of memory that may change; wrong at worst in the extent that is printed. */
static bool cell_has_site(uintptr_t a, uint32_t site, uint32_t *mask)
{
    if (!rt_address_ok(a))
        return false;
    uint64_t w = gl_load_relaxed(rt_cell_word(a)), s = gl_load_relaxed(rt_cell(a).sites);
    if (w == GL_CELL_LOCKED || w >> 32 == GL_CELL_SIDE)
        return false;
    *mask = half_bytes_at((uint32_t)(w >> 32), (uint32_t)(s >> 32), site) | half_bytes_at((uint32_t)w, (uint32_t)s, site);
    return *mask != 0;
}

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
    size_t most = site->width >= RT_WIDTH_RANGE ? 1u << 16 : width_bytes[site->width];
    /* The access went on to the left when it has this cell's first byte, to the right when its last. */
    while (lo % 4 == 0 && hi - lo < most && cell_has_site(lo - 4, f->race.then.site, &near) && (near & 8)) {
        if (site->width < RT_WIDTH_RANGE && lo % most == 0)
            break; /* aligned: it starts here */
        lo -= 32 - 28 - (unsigned)__builtin_ctz(near) > 4 ? 4 : 4 - (unsigned)__builtin_ctz(near);
    }
    if (site->width < RT_WIDTH_RANGE) {
        *addr = lo;
        *size = most;
        return;
    }
    while (hi % 4 == 0 && hi - lo < most && cell_has_site(hi, f->race.then.site, &near) && (near & 1))
        hi += 32 - (unsigned)__builtin_clz(near);
    *addr = lo;
    *size = hi - lo;
}

/* ---- stacks ---- */

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static bool in_runtime(uintptr_t pc)
{
    return pc >= (uintptr_t)__ehdr_start && pc < (uintptr_t)_end;
}

static bool starts_with(const char *s, const char *prefix)
{
    return __builtin_strncmp(s, prefix, __builtin_strlen(prefix)) == 0;
}

/* The stack of a depot node, without the frames that only start a thread or the program. */
static struct gl_report_stack stack_of(struct report *p, uint32_t node)
{
    struct gl_report_stack s = {0};
    if (!node || p->stacks >= sizeof p->pcs / sizeof p->pcs[0])
        return s;
    uintptr_t *pcs = p->pcs[p->stacks++];
    int n = rt_stack_pcs(node, pcs, MAX_PCS);
    while (n > 1 && in_runtime(pcs[n - 1]))
        n--;
    struct gl_frame f[4];
    if (n > 1 && rt.options.symbolize) {
        int k = gl_symbolize(pcs[n - 1], GL_PC_RETURN, f, 4);
        if (k > 0 && f[k - 1].function &&
            (starts_with(f[k - 1].function, "__libc_start") || starts_with(f[k - 1].function, "_start")))
            n--; /* below main() */
    }
    s.pc = pcs;
    s.pcs = (size_t)n;
    return s;
}

static int symbolize(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max)
{
    (void)ctx;
    struct gl_frame f[16];
    int n = gl_symbolize(pc, GL_PC_RETURN, f, max < 16 ? max : 16);
    for (int i = 0; i < n; i++) {
        out[i] = (struct gl_report_frame){.pc = f[i].pc, .module = f[i].module, .offset = f[i].offset};
        if (!rt.options.symbolize)
            continue;
        out[i].function = f[i].function;
        out[i].file = f[i].file;
        out[i].line = f[i].line;
        out[i].column = f[i].column;
    }
    return rt.options.symbolize || n == 0 ? n : 1;
}

/* ---- the parts of a report ---- */

static void add_thread(struct report *p, uint32_t tid)
{
    if (tid == 0)
        return;
    for (size_t i = 0; i < p->r.threads; i++)
        if (p->thread[i].number == tid)
            return;
    struct rt_thread *t = rt_thread_by_tid(tid);
    if (!t || p->r.threads >= MAX_THREADS)
        return;
    p->thread[p->r.threads++] = (struct gl_report_thread){.number = tid,
                                                          .os_tid = t->os_tid,
                                                          .name = t->name,
                                                          .running = !t->finished,
                                                          .parent = t->parent,
                                                          .created_at = stack_of(p, t->create_stack)};
    add_thread(p, t->parent);
}

static void add_locks(struct report *p, int which, uint32_t lockset)
{
    uint32_t cookies[MAX_HELD];
    bool exclusive[MAX_HELD];
    int n = rt_lockset_locks(lockset, cookies, exclusive, MAX_HELD);
    struct gl_report_access *a = &p->r.access[which];
    for (int i = n - 1; i >= 0; i--) { /* in the order of locking */
        p->held[which][a->n_held++] = (struct gl_report_held){.mutex = cookies[i], .write = exclusive[i]};
        bool known = false;
        for (size_t k = 0; k < p->r.mutexes; k++)
            known |= p->mutex[k].number == cookies[i];
        struct rt_lock_info info;
        if (!known && rt_lock_info(cookies[i], &info))
            p->mutex[p->r.mutexes++] = (struct gl_report_mutex){
                .number = cookies[i], .address = info.addr, .created_at = stack_of(p, info.create_stack)};
    }
    a->held = p->held[which];
}

static void place_stack_or_tls(struct report *p, uintptr_t a)
{
    struct gl_report_location *l = &p->r.location;
    gl_spin_lock(&rt.registry);
    for (struct rt_thread *t = rt.threads; t && l->place == GL_PLACE_UNKNOWN; t = t->next) {
        if (t->finished || a < t->stack_lo || a >= t->stack_hi)
            continue;
        l->place = a >= t->tls_lo && a < t->tls_hi ? GL_PLACE_TLS : GL_PLACE_STACK;
        l->thread = t->tid;
    }
    gl_spin_unlock(&rt.registry);
}

static void add_location(struct report *p, uintptr_t a)
{
    struct gl_report_location *l = &p->r.location;
    place_stack_or_tls(p, a);
    if (l->place != GL_PLACE_UNKNOWN)
        return;
    struct rt_block b;
    struct gl_object o;
    if (gl_symbol_object(a, &o)) {
        l->place = GL_PLACE_GLOBAL;
        l->name = o.name;
        l->start = o.start;
        l->size = o.size;
        l->module = o.module;
        l->offset = o.offset;
    } else if (rt_heap_find(a, &b)) {
        l->place = GL_PLACE_HEAP;
        l->start = b.start;
        l->size = b.size;
        l->thread = b.tid;
        l->allocated_at = stack_of(p, b.stack);
    }
}

/* A block that was freed: its extent is that of the free, its allocation is still in the marks. */
static void add_freed_location(struct report *p, const struct gl_report_access *freed)
{
    struct gl_report_location *l = &p->r.location;
    uint32_t stack, tid;
    l->place = GL_PLACE_HEAP;
    l->start = freed->address;
    l->size = freed->size;
    if (rt_heap_was(freed->address, &stack, &tid)) {
        l->thread = tid;
        l->allocated_at = stack_of(p, stack);
    }
}

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
    if (tid == 0)
        return "the main thread";
    gl_format(buf, 24, "thread T%u", tid);
    return buf;
}

/* True of every race; the locks say what comes nearest to an order. */
static void add_why(struct report *p)
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
    gl_format(p->why, sizeof p->why, "%s, and nothing that %s released after its access leads to an acquire of %s before this one",
              locks, who(then->thread, b1), who(now->thread, b2));
    p->r.why = p->why;
}

static void collect(struct report *p, struct rt_thread *t, const struct rt_finding *f, uint64_t occurrences)
{
    __builtin_memset(&p->r, 0, sizeof p->r);
    p->stacks = 0;
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    p->r.pid = gl_os_pid();
    p->r.occurrences = occurrences;
    p->r.mutex = p->mutex;
    p->r.thread = p->thread;
    p->r.access[0] = (struct gl_report_access){.kind = kind_of(&f->race.now, &now),
                                               .address = f->addr,
                                               .size = f->size,
                                               .thread = t->tid,
                                               .stack = stack_of(p, now.stack)};
    p->r.access[1] = (struct gl_report_access){
        .kind = kind_of(&f->race.then, &then), .thread = f->race.then.thread, .stack = stack_of(p, then.stack)};
    earlier_extent(f, &then, &p->r.access[1].address, &p->r.access[1].size);
    add_locks(p, 0, now.lockset);
    add_locks(p, 1, then.lockset);
    uintptr_t racing = f->addr + f->at + (unsigned)__builtin_ctzll(f->bytes);
    if (then.width == RT_WIDTH_FREE) {
        p->r.type = GL_REPORT_USE_AFTER_FREE;
        add_freed_location(p, &p->r.access[1]);
    } else {
        add_location(p, racing);
    }
    add_thread(p, t->tid);
    add_thread(p, f->race.then.thread);
    if (p->r.location.place != GL_PLACE_UNKNOWN && p->r.location.place != GL_PLACE_GLOBAL)
        add_thread(p, p->r.location.thread);
    add_why(p);
}

static void print_piece(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    rt_print(text, n);
}

static struct gl_text printer(void)
{
    return (struct gl_text){.style = rt.options.format == RT_FORMAT_TSAN ? GL_STYLE_TSAN : GL_STYLE_OWN,
                            .colour = rt.color,
                            .strip_prefix = rt.options.strip_path_prefix,
                            .write = print_piece,
                            .symbolize = symbolize};
}

/* Under report_lock: how often this pair of stacks has raced; 1: now for the first time. */
static uint64_t count_pair(const struct rt_finding *f)
{
    if (!seen_ready) {
        gl_dedup_init(&seen_pairs, gl_core_env(rt.core));
        seen_ready = true;
    }
    struct rt_site now = rt_site_decode(f->site), then = rt_site_decode(f->race.then.site);
    return gl_dedup_add(&seen_pairs, (struct gl_dedup_side){now.stack, kind_of(&f->race.now, &now)},
                        (struct gl_dedup_side){then.stack, kind_of(&f->race.then, &then)});
}

/* Reports; false: not printed (seen before, or past the limit). */
static bool report(struct rt_thread *t, const struct rt_finding *f)
{
    gl_spin_lock(&report_lock);
    bool print = false;
    if (gl_load_relaxed(&rt.finished)) { /* the closing lines are out and the exit code is decided */
        gl_spin_unlock(&report_lock);
        return false;
    }
    uint64_t times = count_pair(f);
    gl_add_relaxed(&rt.races, 1);
    if (times > 1 && rt.options.dedup) {
        ; /* counted */
    } else if (rt.options.report_limit && gl_load_relaxed(&rt.reports) >= (uint32_t)rt.options.report_limit) {
        rt_count(RT_COUNT_reports_suppressed);
    } else {
        if (!scratch)
            scratch = gl_os_map(sizeof *scratch);
        gl_add_relaxed(&rt.reports, 1);
        print = scratch != NULL;
        if (print) {
            collect(scratch, t, f, times);
            struct gl_text text = printer();
            gl_text_report(&scratch->r, &text);
        }
    }
    gl_spin_unlock(&report_lock);
    return print;
}

void rt_found_summary(void)
{
    gl_spin_lock(&report_lock);
    uint32_t reports = gl_load_relaxed(&rt.reports);
    uint64_t races = gl_load_relaxed(&rt.races);
    struct gl_text text = printer();
    if (races > reports && text.style == GL_STYLE_OWN) {
        char line[128];
        int n = gl_format(line, sizeof line, "Goldilocks: %llu races happened on %u pairs of stacks\n",
                          (unsigned long long)races, (unsigned)(seen_ready ? seen_pairs.used : 0));
        rt_print(line, (size_t)n);
    }
    gl_text_closing(reports, 0, &text);
    gl_spin_unlock(&report_lock);
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

/* Ends the program.  Whoever comes second, or while the program is ending, waits for the end: it must not cut off the
 * closing lines. */
static _Noreturn void halt(void)
{
    static _Atomic bool halting;
    if (atomic_exchange(&halting, true) || gl_load_relaxed(&rt.finished)) {
        rt_leave();
        for (unsigned n = 0;; n++)
            gl_os_pause(n);
    }
    gl_os_exit_group(rt_finish(rt.options.exitcode ? rt.options.exitcode : 66));
}

void rt_found(struct rt_thread *t, const struct rt_finding *found)
{
    if (gl_core_stopped(rt.core))
        return; /* a synchronization was lost: the answer may be wrong */
    if (rt_benign(found->addr + found->at, 1))
        return;
    struct rt_finding finding = *found, *f = &finding;
    uintptr_t byte = f->addr + f->at + (unsigned)__builtin_ctzll(f->bytes); /* the lowest racing one, in f->word */
    f->joined = f->race.then.site;
    f->race.then.site = rt_site_of_bytes(f->joined, 1u << (byte & 3));
    if (rt_handler_is_set())
        call_handler(t, f);
    if (told_in_segment(f))
        return;
    bool printed = report(t, f);
    if (printed)
        __tsan_on_report(scratch);
    if (rt.options.on_race == RT_ON_RACE_HALT) {
        halt();
    } else if (rt.options.on_race == RT_ON_RACE_TRAP && printed) {
        rt_leave(); /* a handler of the program's may run */
        gl_os_raise(5 /* SIGTRAP */);
        (void)rt_enter();
    }
}
