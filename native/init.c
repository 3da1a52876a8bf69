/* SPDX-License-Identifier: Apache-2.0
 *
 * Start, end and fork of the runtime; entering and leaving it.
 *
 * Order of coming up: options, shadow planes, engine, main thread, real functions, `up`.  Nothing before `up`
 * needs anything of ours, and every entry point passes straight through until then.
 */
#include <errno.h>

#include "core/sweep.h"
#include "core/atomic.h"
#include "native/collect.h"
#include "native/foreign.h"
#include "native/intercept.h"
#include "native/misuse.h"
#include "native/near.h"
#include "native/owner.h"
#include "native/record.h"
#include "native/sample.h"
#include "symbol/symbol.h"

struct rt_global rt;

/* ---- what the core is given ---- */

static void *env_map(void *ctx, size_t bytes)
{
    (void)ctx;
    return gl_os_map(bytes);
}
static void env_soon(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_populate((uintptr_t)p, bytes);
}

static void env_unmap(void *ctx, void *p, size_t bytes)
{
    (void)ctx;
    gl_os_unmap(p, bytes);
}
static void env_pause(void *ctx, unsigned rounds)
{
    (void)ctx;
    gl_os_pause(rounds);
}
static void env_fence(void *ctx)
{
    (void)ctx;
    gl_os_membarrier();
}
/* Inside the runtime: it is done when the thread leaves. */
static void env_sweep_due(void *ctx)
{
    (void)ctx;
    __atomic_fetch_or(&rt_tls.pending, RT_PENDING_SWEEP, __ATOMIC_RELAXED); /* one step: a signal may come */
}

/* ---- the log ---- */

/* The file that was opened as the log.  A program may close its descriptor, as others that it does not know, and be given the number for
 * a file of its own, in which nothing of ours may come to stand. */
static struct {
    bool open;
    struct gl_os_file file;
    char folder[GL_OPTION_TEXT_MAX]; /* where a relative path begins, wherever the program goes; "" or with a '/' at its end */
} log_file;

static bool is_log(int fd)
{
    struct gl_os_file file;
    return log_file.open && gl_os_file_of(fd, &file) && file.device == log_file.file.device && file.inode == log_file.file.inode;
}

/* Bit 1 or 2: stdout or stderr was closed when the program began.  Whatever gets the number is a file of the program's, unless it is put
 * there by dup2. */
static unsigned absent;

static long write_to(int fd, const char *text, size_t n)
{
    bool is_absent = fd >= 0 && fd <= 2 && (__atomic_load_n(&absent, __ATOMIC_RELAXED) >> fd & 1); /* relaxed: nothing goes with it */
    return is_absent ? -EBADF : gl_os_write(fd, text, n);
}

void rt_log_given(int fd)
{
    if (fd >= 0 && fd <= 2)
        __atomic_fetch_and(&absent, ~(1u << fd), __ATOMIC_RELAXED); /* relaxed: as in write_to() */
}

enum { PROGRAM_MAX = 256, LOG_NAME_MAX = 3 * GL_OPTION_TEXT_MAX + PROGRAM_MAX + 16 };

/* ".NAME" of the program's file with option log_exe_name, or "". */
static void put_program(char *to, size_t room)
{
    static char path[GL_OPTION_TEXT_MAX]; /* not on the stack of a thread that may have little; under `naming` */
    long n = rt.options.log_exe_name ? gl_os_readlink("/proc/self/exe", path, sizeof path - 1) : 0;
    path[n > 0 ? n : 0] = 0;
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (*s == '/')
            name = s + 1;
    *to = 0;
    if (*name)
        gl_format(to, room, ".%s", name);
}

static void put_log_name(char full[static LOG_NAME_MAX])
{
    char program[PROGRAM_MAX];
    put_program(program, sizeof program);
    gl_format(full, LOG_NAME_MAX, "%s%s%s.%u%s", log_file.folder, rt.options.log_path, program, gl_os_pid(), rt.options.log_suffix);
}

static struct gl_spin naming;

static int open_file(void)
{
    static char full[LOG_NAME_MAX];
    gl_spin_lock(&naming);
    put_log_name(full);
    int fd = gl_os_open_append(full);
    gl_spin_unlock(&naming);
    return fd;
}

/* The rest goes to stderr, which says why. */
static void give_up_log(int error)
{
    if (__atomic_exchange_n(&rt.log_fd, 2, __ATOMIC_RELAXED) == 2) /* relaxed: who misses it comes here, too */
        return;
    char line[GL_OPTION_TEXT_MAX + 256];
    int k = gl_format(line, sizeof line, "goldilocks: reports cannot be written to %s (%s, error %d); from here on they are here\n", rt.options.log_path,
                      gl_os_error(error), error);
    (void)write_to(2, line, (size_t)k);
}

/* The file of this process, when there is something to say. */
static void open_log(void)
{
    static struct gl_spin opening;
    gl_spin_lock(&opening);
    if (rt.log_fd < 0) {
        int fd = open_file();
        log_file.open = fd >= 0 && gl_os_file_of(fd, &log_file.file);
        if (fd >= 0)
            __atomic_store_n(&rt.log_fd, fd, __ATOMIC_RELEASE); /* pairs with the load in rt_print() */
        else
            give_up_log(-fd);
    }
    gl_spin_unlock(&opening);
}

/* 0, or the error for which the file could not be written now. */
static int log_error(const char full[static LOG_NAME_MAX])
{
    char folder[LOG_NAME_MAX];
    int error = gl_os_write_error(full);
    if (error != ENOENT)
        return error;
    size_t end = 0;
    for (size_t i = 0; full[i]; i++)
        end = full[i] == '/' ? i + 1 : end;
    gl_format(folder, sizeof folder, "%.*s", (int)end, full);
    return gl_os_write_error(end ? folder : ".");
}

/* As option log_path says.  must: a file that cannot be written ends the program, else stderr serves. */
static void choose_log(bool must)
{
    const char *path = rt.options.log_path;
    bool is_stdout = __builtin_strcmp(path, "stdout") == 0, is_file = !is_stdout && __builtin_strcmp(path, "stderr") != 0;
    log_file.open = false;
    rt.log_fd = is_file ? -1 : is_stdout ? 1 : 2;
    rt.color = rt.options.color == RT_COLOR_ALWAYS || (rt.options.color == RT_COLOR_AUTO && !is_file && gl_os_isatty(rt.log_fd));
    if (!is_file)
        return;
    char full[LOG_NAME_MAX];
    gl_spin_lock(&naming);
    put_log_name(full);
    gl_spin_unlock(&naming);
    int error = log_error(full);
    if (error && must)
        rt_die("cannot write the log file %s (%s, error %d); set log_path to a folder that exists and is writable", full, gl_os_error(error), error);
    if (error)
        give_up_log(error);
    else if (rt.options.record[0])
        open_log(); /* the thread that writes the recording keeps the files that are open when it begins */
}

static void look_for_streams(void)
{
    struct gl_os_file file;
    for (int fd = 1; fd <= 2; fd++)
        absent |= gl_os_file_of(fd, &file) ? 0 : 1u << fd;
}

static void place_log(void)
{
    int n = rt.options.log_path[0] == '/' ? 0 : gl_os_readlink("/proc/self/cwd", log_file.folder, sizeof log_file.folder - 1);
    log_file.folder[n > 0 ? n : 0] = 0;
    if (n > 1)
        __builtin_memcpy(log_file.folder + n, "/", 2);
}

void rt_log_to(const char *path)
{
    if (is_log(rt.log_fd))
        gl_os_close(rt.log_fd);
    gl_format(rt.options.log_path, sizeof rt.options.log_path, "%s", path);
    place_log();
    choose_log(false);
}

void rt_log_to_descriptor(int fd)
{
    log_file.open = false;
    rt.log_fd = fd;
    rt_log_given(fd);
}

void rt_log_forked(void)
{
    if (!log_file.open)
        return;
    if (is_log(rt.log_fd))
        gl_os_close(rt.log_fd);
    rt.log_fd = -1; /* a file of its own, when it has something to say */
}

/* ---- messages ---- */

void rt_print(const char *text, size_t n)
{
    /* acquire: pairs with the store in open_log() */
    int fd = __atomic_load_n(&rt.log_fd, __ATOMIC_ACQUIRE), own = fd;
    if (fd < 0) {
        open_log();
        fd = own = __atomic_load_n(&rt.log_fd, __ATOMIC_ACQUIRE);
    }
    if (log_file.open && fd > 2 && !is_log(fd)) /* opened anew for what there is to say: its number would not be ours for longer, either */
        own = open_file();
    long r = own < 0 ? own : write_to(own, text, n);
    if (own >= 0 && own != fd)
        gl_os_close(own);
    if (r >= 0 || fd == 2)
        return;
    give_up_log((int)-r); /* a full disk, or the program closed it */
    (void)write_to(2, text, n);
}

void rt_die(const char *fmt, ...)
{
    char text[1024];
    int n = gl_format(text, sizeof text, "goldilocks: ");
    va_list ap;
    va_start(ap, fmt);
    n += gl_vformat(text + n, sizeof text - (size_t)n - 1, fmt, ap);
    va_end(ap);
    if ((size_t)n > sizeof text - 2)
        n = sizeof text - 2;
    text[n] = '\n';
    (void)write_to(2, text, (size_t)n + 1);
    gl_os_exit_group(2);
}

void rt_count(enum rt_counter c)
{
    gl_add_relaxed(&rt.counters[c], 1); /* relaxed: a statistic */
}

/* ---- options ---- */

#define ENVIRONMENT_MAX (4u << 20)
#define VARIABLES_MAX 8192

/* The environment as the program was started with it: libc's `environ` is not set yet when the first
 * instrumented object calls us. */
static char **environment;

static void read_environment(void)
{
    char *text = gl_os_map(ENVIRONMENT_MAX);
    environment = gl_os_map((VARIABLES_MAX + 1) * sizeof *environment);
    long n = text ? gl_os_read_file("/proc/self/environ", text, ENVIRONMENT_MAX) : 0;
    for (long i = 0, k = 0; environment && i < n && k < VARIABLES_MAX; i += (long)__builtin_strlen(text + i) + 1)
        environment[k++] = text + i;
}

static const char *env_get(const char *name)
{
    size_t n = __builtin_strlen(name);
    for (char **e = environment; e && *e; e++)
        if (__builtin_strncmp(*e, name, n) == 0 && (*e)[n] == '=')
            return *e + n + 1;
    return NULL;
}

static void print_stderr(void *ctx, const char *text, size_t n)
{
    (void)ctx;
    (void)gl_os_write(2, text, n);
}

/* ThreadSanitizer's hook; a program may define its own. */
RT_EXPORT __attribute__((weak)) const char *__tsan_default_options(void);
RT_EXPORT __attribute__((weak)) const char *__tsan_default_options(void)
{
    return "";
}

/* The variable of the runtime whose place this is. */
static const char *tsan_name(void) { return rt.go ? "GORACE" : "TSAN_OPTIONS"; }

static void mention_ignored(const char *tsan)
{
    for (const struct rt_ignored_option *i = rt_ignored_options; rt.options.verbosity > 0 && i->name; i++)
        if (rt_options_mention(tsan, i->name)) {
            char line[256];
            int n = gl_format(line, sizeof line, "Goldilocks: option %s of %s does nothing here: %s\n", i->name, tsan_name(), i->why);
            rt_print(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
        }
}

/* A wrong path in settings that were made for ThreadSanitizer is told where it begins to matter: behind the reports. */
static void choose_symbolizer(void)
{
    const char *path = rt.options.symbolizer;
    const char *why = path[0] && rt.options.symbolize ? gl_symbol_use(path, environment) : NULL;
    if (why && rt_options_mention(env_get("GOLDILOCKS_OPTIONS"), "symbolizer"))
        rt_die("option symbolizer=%s: %s; name an llvm-symbolizer or addr2line, or leave the option out", path, why);
}

static void read_options(void)
{
    char error[512];
    if (!rt_options_parse_with(__tsan_default_options(), tsan_name(), env_get(tsan_name()), env_get("GOLDILOCKS_OPTIONS"), &rt.options, error,
                               sizeof error))
        rt_die("%s", error);
    if (rt.options.help) {
        rt_options_print(print_stderr, NULL);
        gl_os_exit_group(0);
    }
    look_for_streams();
    place_log();
    choose_log(true);
    rt_sample_init();
    mention_ignored(env_get(tsan_name()));
    choose_symbolizer();
}

/* ---- address space ---- */

#if defined(__aarch64__)
bool rt_emulated;
#endif

/* Is everything that is mapped now where shadow.h expects it, with room below for what comes, and above the heap? */
static bool layout_ok(void)
{
    enum { HEAP_ROOM_BITS = 36 };
    void *page = gl_os_map(4096); /* where mappings come to lie at present; they grow down from here */
    uintptr_t mapped = (uintptr_t)page, entry = gl_os_program_entry(), heap = gl_os_heap_end();
    if (page)
        gl_os_unmap(page, 4096);
#if defined(__aarch64__)
    if (gl_os_page_size() != 4096)
        rt_die("this system's pages have another size than 4096 bytes, for which there is no runtime");
    if (mapped < RT_CELLS_AT)
        rt_die("this system gives programs addresses of 39 or 42 bits; the shadow of their memory needs 48");
    rt_emulated = mapped < RT_CELLS_AT * 8; /* the half of the addresses that the machine itself would not give out */
    if (rt_emulated) /* brk() stops where other mappings begin */
        heap = 0;
#endif
    return rt_address_ok((uintptr_t)__builtin_frame_address(0)) && rt_address_ok((uintptr_t)&rt) && rt_address_ok(entry) &&
           rt_address_ok(heap) && rt_address_ok(heap + (1ull << HEAP_ROOM_BITS)) && mapped >> 36 >= (RT_MAPPED << 4) + 8; /* half a TiB */
}

/* That the shadow is a runtime's, at the place of a page that no program has. */
#define SHADOW_MARK 0x676f6c64696c6f63ull

/* A library that dlmopen() opens in a namespace of its own has the runtime loaded there once more, with a libc of its own: it stays as it is before it is up. */
static bool is_in_another_namespace(void)
{
    static const char text[] = "Goldilocks: a library is opened by dlmopen() in a namespace of its own; what it does is not checked\n";
    if (!gl_os_is_readable(RT_FREED_AT, sizeof(uint64_t)) || *(const uint64_t *)RT_FREED_AT != SHADOW_MARK || rt_is_second())
        return false;
    (void)gl_os_write(2, text, sizeof text - 1);
    return true;
}

static void map_shadow(void)
{
    if (layout_ok() && rt_shadow_map()) {
        *(uint64_t *)RT_FREED_AT = SHADOW_MARK;
        return;
    }
    if (rt_is_second())
        rt_die("this program has a runtime inside (--static-runtime), and loads a library that was linked with another, libtsan.so.2; link that "
               "library with --static-runtime too, or the program without it");
    if (env_get("VALGRIND_LAUNCHER")) /* /proc/self/exe is Valgrind's */
        rt_die("this program runs under Valgrind, which leaves no address space for the shadow of its memory; run it by itself");
    gl_os_restart(environment);
    rt_die("cannot reserve address space for the shadow of this program's memory; lift the limit on virtual memory "
           "(ulimit -v unlimited), set vm.overcommit_memory to 0 or 1, or run it with setarch -R");
}

bool rt_shadow_map(void)
{
    return gl_os_map_at(RT_CELLS_AT, RT_CELLS_SIZE) &&
           gl_os_map_at(RT_MARKS_AT, RT_MARKS_SIZE) && gl_os_map_at(RT_PAGES_AT, RT_PAGES_SIZE) &&
           gl_os_map_at(RT_OWNERS_AT, RT_PAGES_SIZE * 4) && gl_os_map_at(RT_FREED_AT, RT_PAGES_SIZE * 8);
}

/* ---- up ---- */

static void find_real_functions(void)
{
    extern const struct rt_interceptor __start_rt_interceptors[] __attribute__((weak));
    extern const struct rt_interceptor __stop_rt_interceptors[] __attribute__((weak));
    for (const struct rt_interceptor *i = __start_rt_interceptors; i < __stop_rt_interceptors; i++)
        if (!*i->real)
            *i->real = rt_real_find(i->name);
}

void rt_init(void)
{
    static bool begun; /* the first caller is alone: it runs before main(), or from the first call into us */
    if (begun)
        return;
    begun = true;
    if (is_in_another_namespace())
        return;
    rt_tls.depth++;
    read_environment();
    read_options();
    if (!rt_comes_first())
        rt_die("this program loads libtsan.so.2 after the C library, or with a library that it opens while it runs, so that its calls go past "
               "us; start it with 'goldilocks run --force', or with LD_PRELOAD set to libtsan.so.2");
    map_shadow();
    struct gl_env env = {.map = env_map, .soon = env_soon, .unmap = env_unmap, .pause = env_pause};
    if (gl_os_membarrier_register()) {
        env.fence = env_fence;
        env.sweep_due = env_sweep_due; /* a sweep keeps the others out: rt_alone_begin() */
    }
    rt.core = gl_core_create(&env);
    rt.sides = rt.core ? gl_core_sides(rt.core) : NULL;
    rt.lists = rt.core ? gl_core_lists(rt.core) : NULL;
    if (rt.core) {
        gl_core_sweep_every(rt.core, (uint64_t)rt.options.sweep_segments, 0);
        rt_record_init();
    }
    if (!rt.core || !rt_depot_init() || !rt_thread_start_main())
        rt_die("no memory for the engine; lift the memory limit of the process");
    rt_modules_init();
    rt_suppressions_read();
    find_real_functions();
    rt_heap_know_libraries();
    void (*static_tls)(size_t *size, size_t *align) = (void (*)(size_t *, size_t *))rt_real_find("_dl_get_tls_static_info");
    size_t align;
    if (static_tls)
        static_tls(&rt.static_tls, &align);
    if (gl_os_restarted_with_limited_stack(environment))
        rt_threads_default_stack();
    if (rt.options.stop_on_start)
        gl_os_raise(19 /* SIGSTOP */);
    rt.owners = env.fence && rt.options.page_owners && !rt.recording;
    rt_foreign_init();
    rt_near_init();
    gl_store_release(&rt.up, true); /* pairs with rt_enter() */
    rt_leave();
}

/* ---- in and out ---- */

struct rt_thread *rt_enter(void)
{
    struct rt_tls *tls = &rt_tls;
    if (RT_UNLIKELY(tls->depth))
        return NULL;
    if (RT_UNLIKELY(!tls->self)) {
        if (!gl_load_acquire(&rt.up)) /* pairs with rt_init() */
            rt_init();
        if (!tls->self) {
            if (rt.up && !tls->ended && !tls->counted) {
                tls->counted = true;
                rt_count(RT_COUNT_unknown_thread);
            }
            return NULL;
        }
    }
    if (RT_UNLIKELY(tls->async_cancel))
        rt_cancel_hold();
    tls->depth = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(gl_load_relaxed(&rt.forking))) /* relaxed: rt_fork_before() makes it seen (membarrier) */
        rt_fork_wait();
    return tls->self;
}

void rt_enter_always(void)
{
    if (RT_UNLIKELY(rt_tls.async_cancel) && rt_tls.depth == 0)
        rt_cancel_hold();
    rt_tls.depth++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (rt_tls.depth == 1 && RT_UNLIKELY(gl_load_relaxed(&rt.forking))) /* relaxed: as in rt_enter() */
        rt_fork_wait();
}

void rt_leave(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (--rt_tls.depth)
        return;
    /* A signal that comes from here on is not kept back; one that was is seen here. */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (RT_UNLIKELY(__atomic_load_n(&rt_tls.pending, __ATOMIC_RELAXED)))
        rt_deliver_pending();
    if (RT_UNLIKELY(rt_tls.async_cancel))
        rt_cancel_release();
}

/* ---- end ---- */

static void print_count(void *ctx, const char *name, const char *sentence, uint64_t value)
{
    (void)ctx;
    char line[256];
    int n = gl_format(line, sizeof line, "  %12llu  %s: %s\n", (unsigned long long)value, name, sentence);
    rt_print(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void print_dropped(void)
{
    static const struct {
        const char *name, *sentence;
    } lines[] = {
#define X(name, sentence) {#name, sentence},
#include "native/counters.def"
#undef X
    };
    for (int i = 0; i < RT_COUNT_END; i++) {
        uint64_t n = gl_load_relaxed(&rt.counters[i]);
        if (!n)
            continue;
        char line[256];
        int len = gl_format(line, sizeof line, "Goldilocks: %llu %s\n", (unsigned long long)n, lines[i].sentence);
        rt_print(line, (size_t)len);
    }
}

/* Others may still make a race. */
static void wait_for_others(void)
{
    bool others = false;
    if (!rt.options.atexit_sleep_ms || rt.halting || gl_load_relaxed(&rt.finished))
        return;
    gl_spin_lock(&rt.registry);
    for (struct rt_thread *t = rt.threads; t && !others; t = t->next)
        others = !t->finished && t != rt_tls.self;
    gl_spin_unlock(&rt.registry);
    for (int left = rt.options.atexit_sleep_ms; others && left > 0; left -= 10) { /* in steps: a fork waits for who is inside */
        gl_os_sleep_ms(left < 10 ? (unsigned)left : 10);
        if (gl_load_relaxed(&rt.forking)) /* relaxed: seen now or in the next step */
            rt_fork_wait();
    }
}

int rt_finish(int code)
{
    if (rt.up)
        wait_for_others();
    if (!rt.up || atomic_exchange(&rt.finished, true))
        return code;
    rt_enter_always();
    rt_modules_look();
    rt_misuse_leaks();
    if (rt_tls.self && !rt.halting)
        rt_check_ignores();
    rt_suppressions_print();
    uint32_t reports = gl_load_relaxed(&rt.reports);
    if (reports)
        rt_found_summary();
    if (reports || rt.options.verbosity > 0)
        rt_sample_closing();
    if (reports) {
        rt_foreign_closing();
        rt_modules_closing();
    }
    print_dropped();
    if (reports && gl_symbol_trouble()) {
        rt_print("Goldilocks: ", sizeof "Goldilocks: " - 1);
        rt_print(gl_symbol_trouble(), __builtin_strlen(gl_symbol_trouble()));
        rt_print("\n", 1);
    }
    if (gl_core_stopped(rt.core)) {
        static const char text[] = "Goldilocks: a synchronization could not be recorded, because memory or the numbers for its objects ran "
                                   "out; no race after that is reported\n";
        rt_print(text, sizeof text - 1);
    }
    if (rt.options.stats) {
        gl_core_counts(rt.core, print_count, NULL);
        print_count(NULL, "revocations", "times a thread took a page from another that could be using it",
                    gl_load_relaxed(&rt.revocations));
        print_count(NULL, "page_tags", "numbers of owners of pages, at most at a time", rt_owner_tags());
    }
    bool recorded = rt_record_finish();
    rt_leave();
    bool failed = reports != 0;
    if (!rt.halting) {
        uint32_t depth = rt_tls.depth;
        rt_tls.depth = 0; /* the program's code runs */
        failed = __tsan_on_finalize(failed) != 0;
        rt_tls.depth = depth;
    }
    if (failed && rt.options.exitcode)
        code = rt.options.exitcode;
    return code == 0 && !recorded ? 2 : code;
}
