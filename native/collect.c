/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports, from an empty one to what happens after it was printed.  One at a time, under report_lock; the thread that found
 * the mistake waits for it.
 */
#include "native/collect.h"

#include "core/atomic.h"
#include "native/fd.h"
#include "report/json.h"
#include "symbol/callee.h"
#include "symbol/symbol.h"

static struct gl_spin report_lock; /* guards scratch and whole reports */
static struct rt_report *scratch;

/* ThreadSanitizer's hook; a program may define its own.  It runs after its report was printed, inside the runtime and under the
 * report lock, so that __tsan_get_report_*() in it find that report. */
RT_EXPORT __attribute__((weak)) void __tsan_on_report(void *report);
RT_EXPORT __attribute__((weak)) void __tsan_on_report(void *report)
{
    (void)report;
}

/* What the program knows of places that are in no module: an interpreter's, which marks them by RT_EXTERNAL_PC.  Called inside the
 * runtime.  The older of the two is what the newer one asks when a program has none of its own. */
enum { FRAMES = 16, TEXT = 128 };
typedef void add_frame(void *ctx, const char *function, const char *file, int line, int column);

RT_EXPORT __attribute__((weak)) bool __tsan_symbolize_external(void *pc, char *function, uintptr_t function_size, char *file,
                                                               uintptr_t file_size, int *line, int *column);
RT_EXPORT __attribute__((weak)) bool __tsan_symbolize_external(void *pc, char *function, uintptr_t function_size, char *file,
                                                               uintptr_t file_size, int *line, int *column)
{
    (void)pc, (void)function, (void)function_size, (void)file, (void)file_size, (void)line, (void)column;
    return false;
}

RT_EXPORT __attribute__((weak)) void __tsan_symbolize_external_ex(void *pc, add_frame *add, void *ctx);
RT_EXPORT __attribute__((weak)) void __tsan_symbolize_external_ex(void *pc, add_frame *add, void *ctx)
{
    char function[TEXT] = "", file[TEXT] = "";
    int line = 0, column = 0;
    if (__tsan_symbolize_external(pc, function, sizeof function, file, sizeof file, &line, &column))
        add(ctx, function, file, line, column);
}

/* Guarded by the report lock, and read before the next place is asked for. */
static struct external {
    int n, max;
    struct gl_report_frame *out;
    char function[FRAMES][TEXT], file[FRAMES][TEXT];
} external;

static const char *keep(char to[TEXT], const char *s)
{
    size_t n = 0;
    for (; s && s[n] && n + 1 < TEXT; n++)
        to[n] = s[n];
    to[n] = 0;
    return n ? to : NULL;
}

static void add_external(void *ctx, const char *function, const char *file, int line, int column)
{
    struct external *e = ctx;
    if (e->n == e->max)
        return;
    e->out[e->n] = (struct gl_report_frame){.function = keep(e->function[e->n], function),
                                            .file = keep(e->file[e->n], file),
                                            .line = line > 0 ? (uint32_t)line : 0,
                                            .column = column > 0 ? (uint32_t)column : 0};
    e->n++;
}

/* 0: the program knows nothing of it either. */
static int external_frames(uintptr_t pc, struct gl_report_frame *out, int max)
{
    external.n = 0;
    external.max = max < FRAMES ? max : FRAMES;
    external.out = out;
    __tsan_symbolize_external_ex((void *)(pc | RT_EXTERNAL_PC), add_external, &external);
    for (int i = 0; i < external.n; i++)
        out[i].pc = pc;
    return external.n;
}

/* ---- stacks ---- */

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* In the static form our code is in the program's own file, in a section of this name (cmake/localize). */
extern const char __start_rt_text[] __attribute__((weak, visibility("hidden")));
extern const char __stop_rt_text[] __attribute__((weak, visibility("hidden")));

bool rt_in_runtime(uintptr_t pc)
{
    uintptr_t start = (uintptr_t)__start_rt_text;
    if (start)
        return pc >= start && pc < (uintptr_t)__stop_rt_text;
    return pc >= (uintptr_t)__ehdr_start && pc < (uintptr_t)_end;
}

static bool starts_with(const char *s, const char *prefix)
{
    return __builtin_strncmp(s, prefix, __builtin_strlen(prefix)) == 0;
}

/* The name of the function that the instructions around pc belong to; NULL: not known. */
static const char *outermost(uintptr_t pc, struct gl_frame f[4])
{
    int n = gl_symbolize(pc, GL_PC_RETURN, f, 4);
    return f[n - 1].function;
}

/* Is the last frame what calls main() or the constructors?  What main() returns to in another module is: the C library then need not
 * be read, of which some systems have much debug information. */
static bool is_below_main(uintptr_t last, uintptr_t callee)
{
    struct gl_frame f[4], other;
    const char *name = outermost(callee, f);
    if (name && __builtin_strcmp(name, "main") == 0 && gl_symbol_module(last, GL_PC_RETURN, &other) && other.module != f->module)
        return true;
    name = outermost(last, f);
    return name && (starts_with(name, "__libc_start") || starts_with(name, "_start"));
}

/* What calls the functions of goroutines, and main.main. */
static bool is_below_goroutine(uintptr_t last)
{
    struct gl_frame f[4];
    const char *name = outermost(last, f);
    return name && (__builtin_strcmp(name, "runtime.goexit") == 0 || __builtin_strcmp(name, "runtime.main") == 0);
}

/* Functions of ours with two names, of which the table of symbols may say either, and clang's names for memcpy() and its like: what
 * programs call them. */
static const char *libc_name(const char *name)
{
    static const char *const other[] = {"__tsan_memcpy", "__tsan_memmove", "__tsan_memset", "__bzero", "__close", "__mempcpy",
                                        "__sigaction", "__stpcpy", "__stpncpy", "__strdup", "__strndup", "__strxfrm_l",
                                        "__sysv_signal", "__wcsxfrm_l"};
    size_t underscores = sizeof "__" - 1;
    if (starts_with(name, "__pthread_"))
        return name + underscores;
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        if (__builtin_strcmp(name, other[i]) == 0)
            return name + (starts_with(name, "__tsan_") ? sizeof "__tsan_" - 1 : underscores);
    return name;
}

/* A program counter in the function of ours that stands for one of a library, if the call that returns to `pc` reached one: not
 * what the compiler has called for each access.  0: it did not. */
static uintptr_t intercepted(uintptr_t pc)
{
    uintptr_t callee = rt.options.symbolize ? gl_symbol_callee(pc) : 0;
    struct gl_frame f[4];
    if (!callee || !rt_in_runtime(callee))
        return 0;
    const char *name = outermost(callee + 1, f);
    if (name && libc_name(name) != name)
        return callee + 1;
    if (name && (starts_with(name, "__tsan_mutex_") || starts_with(name, "__tsan_check_")))
        return callee + 1;
    bool for_compilers = !name || starts_with(name, "__tsan_") || starts_with(name, "__sanitizer_") || starts_with(name, "goldilocks_rt_");
    return for_compilers ? 0 : callee + 1;
}

struct gl_report_stack rt_report_stack(struct rt_report *p, uint32_t node)
{
    struct gl_report_stack s = {0};
    if (!node || p->stacks >= sizeof p->pcs / sizeof p->pcs[0])
        return s;
    uintptr_t *pcs = p->pcs[p->stacks++];
    int n = rt_stack_pcs(node, pcs, RT_MAX_PCS);
    int kept = 1; /* not ours: what calls the handlers of signals, what starts a thread */
    for (int i = 1; i < n; i++)
        if (!rt_in_runtime(pcs[i]) || rt_exit_note(pcs[i]))
            pcs[kept++] = pcs[i];
    n = n > 0 ? kept : 0;
    while (rt.go && n > 1 && rt.options.symbolize && is_below_goroutine(pcs[n - 1]))
        n--;
    if (!rt.go && n > 1 && rt.options.symbolize && is_below_main(pcs[n - 1], pcs[n - 2]))
        n--;
    s.pc = pcs;
    s.pcs = (size_t)n;
    s.called = n > 0 ? intercepted(pcs[0]) : 0;
    return s;
}

bool rt_report_uses_lock(const struct gl_report_stack *s)
{
    static const char *const locks[] = {"pthread_mutex_", "pthread_rwlock_", "pthread_spin_"};
    struct gl_frame f[4];
    const char *name = s->called ? outermost(s->called, f) : NULL;
    for (size_t i = 0; name && i < sizeof locks / sizeof locks[0]; i++)
        if (starts_with(libc_name(name), locks[i]))
            return true;
    return false;
}

int rt_report_frames(void *ctx, uintptr_t pc, struct gl_report_frame *out, int max)
{
    (void)ctx;
    struct gl_frame f[16];
    int n = 1;
    if (rt.options.symbolize)
        n = gl_symbolize(pc, GL_PC_RETURN, f, max < 16 ? max : 16);
    else
        gl_symbol_module(pc, GL_PC_RETURN, f);
    if (n == 1 && !f[0].module && rt.options.symbolize) {
        int more = external_frames(pc, out, max);
        if (more)
            return more;
    }
    for (int i = 0; i < n; i++) {
        out[i] = (struct gl_report_frame){.pc = f[i].pc, .module = f[i].module, .offset = f[i].offset};
        if (!rt.options.symbolize)
            continue;
        out[i].function = f[i].function && rt_in_runtime(pc) ? libc_name(f[i].function) : f[i].function;
        out[i].file = f[i].file;
        out[i].line = f[i].line;
        out[i].column = f[i].column;
    }
    return n;
}

/* ---- the parts of a report ---- */

void rt_report_thread(struct rt_report *p, uint32_t tid)
{
    if (tid <= (rt.go ? 1u : 0u)) /* the main one needs no explanation */
        return;
    for (size_t i = 0; i < p->r.threads; i++)
        if (p->thread[i].number == tid)
            return;
    struct rt_thread *t = rt_thread_by_tid(tid);
    if (!t || p->r.threads >= RT_MAX_THREADS)
        return;
    p->thread[p->r.threads++] = (struct gl_report_thread){.number = tid,
                                                          .os_tid = t->os_tid,
                                                          .name = t->name,
                                                          .running = !t->finished,
                                                          .parent = t->parent,
                                                          .created_at = rt_report_stack(p, t->create_stack)};
}

/* Behind those that are part of the mistake, those that created them. */
static void add_creators(struct rt_report *p)
{
    for (size_t i = 0; i < p->r.threads; i++)
        rt_report_thread(p, p->thread[i].parent);
}

void rt_report_where(struct rt_report *p, uint32_t node)
{
    p->stack[p->r.stacks++] = rt_report_stack(p, node);
}

uint32_t rt_report_mutex(struct rt_report *p, uint32_t serial)
{
    struct rt_lock_info info;
    bool known = rt_lock_info(serial, &info);
    uint32_t cookie = known ? info.number : serial;
    size_t i = 0;
    while (i < p->r.mutexes && p->cookie[i] != cookie)
        i++;
    uint32_t number = rt.options.format == RT_FORMAT_TSAN ? (uint32_t)i : cookie; /* there they count from 0 in each report */
    if (i == p->r.mutexes && i < 2 * RT_MAX_HELD && known) {
        p->cookie[i] = cookie;
        p->mutex[i] = (struct gl_report_mutex){
            .number = number, .address = info.addr, .created_at = rt_report_stack(p, info.create_stack)};
        p->r.mutexes++;
    }
    return number;
}

void rt_report_locks(struct rt_report *p, int which, uint32_t lockset, uint32_t segment)
{
    uint32_t serials[RT_MAX_HELD];
    bool exclusive[RT_MAX_HELD];
    int n = rt_lockset_locks(lockset, segment, serials, exclusive, RT_MAX_HELD);
    struct gl_report_access *a = &p->r.access[which];
    for (int i = n - 1; i >= 0; i--) /* in the order of locking */
        p->held[which][a->n_held++] = (struct gl_report_held){.mutex = rt_report_mutex(p, serials[i]), .write = exclusive[i]};
    a->held = p->held[which];
}

/* The kernel leaves at least 128 MiB below the main thread's stack, and qemu 8.  Its thread-local storage is elsewhere, around what pthread_self() is.  Two
 * at once find the same. */
static void find_main_stack(void)
{
    struct rt_thread *t = rt_thread_by_tid(0);
    uintptr_t top = t && !t->stack_hi ? gl_os_stack_top() : 0;
    if (!top)
        return;
    gl_spin_lock(&rt.registry);
    t->stack_lo = top - ((rt_emulated ? 8ul : 128ul) << 20);
    t->stack_hi = top;
    t->tls_lo = t->tls_hi = top;
    if (t->pthread && rt.static_tls) {
        t->tls_lo = t->pthread - rt.static_tls;
        t->tls_hi = t->pthread + rt.static_tls; /* below it on some machines, above on others: nothing else that programs use is there */
    }
    gl_spin_unlock(&rt.registry);
}

bool rt_place_of_thread(uintptr_t a, enum gl_report_place *place, uint32_t *thread, uintptr_t *start, size_t *size)
{
    bool found = false;
    find_main_stack();
    gl_spin_lock(&rt.registry);
    for (struct rt_thread *t = rt.threads; t && !found; t = t->next) {
        bool in_tls = a >= t->tls_lo && a < t->tls_hi;
        if (t->finished || (!in_tls && (a < t->stack_lo || a >= t->stack_hi)))
            continue;
        found = true;
        *place = in_tls ? GL_PLACE_TLS : GL_PLACE_STACK;
        *thread = t->tid;
        *start = t->stack_lo;
        *size = t->stack_hi - t->stack_lo;
    }
    gl_spin_unlock(&rt.registry);
    return found;
}

void rt_report_place(struct rt_report *p, uintptr_t a)
{
    struct gl_report_location *l = &p->r.location;
    struct rt_fd_number n;
    uintptr_t start;
    size_t size;
    if (rt_fd_find(a, &n)) { /* first: our own memory may lie beside a thread's */
        l->place = GL_PLACE_FD;
        l->fd = n.fd;
        l->closed = n.closed;
        l->thread = n.tid;
        l->allocated_at = rt_report_stack(p, n.stack);
        return;
    }
    if (rt_place_of_thread(a, &l->place, &l->thread, &start, &size))
        return;
    struct rt_block b;
    struct gl_object o;
    bool in_block = rt_heap_find(a, &b); /* which may be of a heap that the program has in a variable (__tsan_java_alloc) */
    if (!in_block && gl_symbol_object(a, &o)) {
        l->place = GL_PLACE_GLOBAL;
        l->name = o.name;
        l->start = o.start;
        l->size = o.size;
        l->module = o.module;
        l->offset = o.offset;
    } else if (in_block) {
        l->place = GL_PLACE_HEAP;
        l->start = b.start;
        l->size = b.size;
        l->thread = b.tid;
        l->allocated_at = rt_report_stack(p, b.stack);
    }
}

/* The allocation is still in the marks. */
void rt_report_freed(struct rt_report *p, const struct gl_report_access *freed)
{
    struct gl_report_location *l = &p->r.location;
    uint32_t stack, tid;
    l->place = GL_PLACE_HEAP;
    l->start = freed->address;
    l->size = freed->size;
    if (rt_heap_was(freed->address, &stack, &tid)) {
        l->thread = tid;
        l->allocated_at = rt_report_stack(p, stack);
    }
}

/* ---- from begin to end ---- */

static _Atomic uint32_t reporter; /* tid of who holds the lock from begin to end */

bool rt_report_is_mine(void) { return gl_load_relaxed(&reporter) == gl_os_tid(); /* relaxed: only we write our own id */ }

/* With the lock. */
static struct rt_report *begin(bool at_end)
{
    bool late = gl_load_relaxed(&rt.finished) && !at_end; /* the closing lines are out and the exit code is decided */
    if (!scratch && !late)
        scratch = gl_os_map(sizeof *scratch);
    if (!scratch || late) {
        gl_spin_unlock(&report_lock);
        return NULL;
    }
    gl_store_relaxed(&reporter, gl_os_tid());
    __builtin_memset(&scratch->r, 0, sizeof scratch->r);
    scratch->stacks = 0;
    scratch->r.pid = gl_os_pid();
    scratch->r.mutex = scratch->mutex;
    scratch->r.thread = scratch->thread;
    scratch->r.stack = scratch->stack;
    scratch->r.edge = scratch->edge;
    return scratch;
}

struct rt_report *rt_report_begin(bool at_end)
{
    gl_spin_lock(&report_lock);
    return begin(at_end);
}

struct rt_report *rt_report_begin_soon(void)
{
    enum { PATIENCE = 1024 + 40000 }; /* rounds: some two seconds of naps */
    for (unsigned round = 0; round < PATIENCE; round++) {
        if (gl_spin_try(&report_lock))
            return begin(true);
        gl_os_pause(round);
    }
    return NULL;
}

void rt_report_end(void)
{
    gl_store_relaxed(&reporter, 0);
    gl_spin_unlock(&report_lock);
}

static void print_piece(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    rt_print(text, n);
}

static struct gl_text printer(void)
{
    return (struct gl_text){.goroutines = rt.go, .style = rt.options.format == RT_FORMAT_TSAN ? GL_STYLE_TSAN : GL_STYLE_OWN,
                            .colour = rt.color,
                            .strip_prefix = rt.options.strip_path_prefix,
                            .write = print_piece,
                            .symbolize = rt_report_frames};
}

bool rt_report_full(void)
{
    bool full = rt.options.report_limit && gl_load_relaxed(&rt.reports) >= (uint32_t)rt.options.report_limit;
    if (full)
        rt_count(RT_COUNT_reports_suppressed);
    return full;
}

enum rt_verdict rt_report_tell(struct rt_report *p)
{
    if (rt_suppressed(&p->r))
        return RT_HELD_BACK;
    add_creators(p);
    gl_add_relaxed(&rt.reports, 1);
    rt.others += !gl_report_is_race(p->r.type);
    struct gl_text text = printer();
    if (rt.options.format == RT_FORMAT_JSON)
        gl_json_report(&p->r, &text);
    else
        gl_text_report(&p->r, &text);
    if (p->r.type != GL_REPORT_FATAL_SIGNAL) { /* the program's functions cannot be called any more */
        rt_current_report = p;
        __tsan_on_report(p);
        rt_current_report = NULL;
    }
    return RT_PRINTED;
}

void rt_report_closing(void)
{
    gl_spin_lock(&report_lock);
    struct gl_text text = printer();
    if (rt.options.format != RT_FORMAT_JSON)
        gl_text_closing(gl_load_relaxed(&rt.reports) - rt.others, rt.others, &text);
    gl_spin_unlock(&report_lock);
}

/* ---- after it ---- */

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
    rt.halting = true;
    int code = rt_finish(rt.options.exitcode ? rt.options.exitcode : 66);
    uint32_t depth = rt_tls.depth;
    rt_tls.depth = 0; /* the program's code runs, for the last time */
    rt_death();
    rt_tls.depth = depth;
    gl_os_exit_group(code);
}

void rt_report_done(enum rt_verdict verdict)
{
    if (verdict == RT_HELD_BACK)
        return;
    if (rt.options.on_race == RT_ON_RACE_HALT) {
        halt();
    } else if (rt.options.on_race == RT_ON_RACE_TRAP && verdict == RT_PRINTED) {
        rt_leave(); /* a handler of the program's may run */
        gl_os_raise(5 /* SIGTRAP */);
        (void)rt_enter();
    }
}
