/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the program's modules are not seen, or not wholly: said once each, by name, where reports go, when option warn_modules asks
 * for it.  Looked at when the program begins, before a library is closed, and at the end: what was opened in between is there then.
 *
 * And which libraries are opened while it runs: the linker maps them itself, maybe where libc has unmapped something (a large block, a stack), or
 * where something was moved away.  So the memory of all that one call opened is made fresh when the first code of any of them runs, the
 * constructor that calls __tsan_init(): from then on threads may be started that use the variables of the others, whose constructors come later.
 *
 * The libraries that come with compilers are left out: what matters of them is intercepted, and nobody can build them anew.
 */
#include "native/foreign.h"
#include "native/state.h"
#include "symbol/build.h"
#include "symbol/dynamic.h"
#include "symbol/symbol.h"

struct module {
    struct module *next;
    bool instrumented, told;
    char path[];
};

static struct gl_spin lock; /* guards the lists and what is in them */
static struct module *modules;

/* Up to the first dot, or the first dash before a version. */
static const char *const of_compilers[] = {
    "libc",      "libm",     "ld-linux-x86-64", "ld-linux-aarch64", "libpthread", "libdl",       "librt",     "libutil",    "libresolv",
    "libmvec",   "libanl",   "libgcc_s",        "libstdc++",        "libc++",     "libc++abi",   "libunwind", "libatomic",  "libgomp",
    "libgfortran", "libquadmath", "libomp",     "libnss_files",     "libnss_dns", "libthread_db", "libtsan",  "libgoldilocks_rt",
};

static bool is_one_of(const char *path, const char *const *names, size_t count)
{
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (*s == '/')
            name = s + 1;
    size_t n = 0;
    while (name[n] && name[n] != '.')
        n++;
    for (size_t i = 0; i < count; i++)
        if (__builtin_strlen(names[i]) == n && __builtin_strncmp(name, names[i], n) == 0)
            return true;
    return false;
}

static bool is_of_compilers(const char *path) { return is_one_of(path, of_compilers, sizeof of_compilers / sizeof of_compilers[0]); }

/* Under the linker's lock: only notes what is new. */
static void note(void *ctx, const char *path, bool instrumented, bool ours)
{
    (void)ctx;
    if (is_of_compilers(path))
        return;
    for (struct module *m = modules; m; m = m->next)
        if (__builtin_strcmp(m->path, path) == 0)
            return;
    size_t n = __builtin_strlen(path) + 1;
    struct module *m = gl_arena_alloc(sizeof *m + n);
    if (!m)
        return; /* a warning less */
    __builtin_memcpy(m->path, path, n);
    m->instrumented = instrumented || ours; /* the runtime in a program's own file is linked to instrumented code */
    m->next = modules;
    modules = m;
}

static void tell(const struct module *m)
{
    char name[1024], text[1400];
    const char *what = NULL;
    if (!m->instrumented)
        what = "is not built with -fsanitize=thread: what it reads and writes is not checked";
    else if (gl_file_build(m->path) == GL_BUILD_GCC_HOLES)
        what = "has memcpy, memset and their like compiled in line by gcc, which are not checked: build it with 'goldilocks cc'";
    else if (gl_file_build(m->path) == GL_BUILD_CLANG_HOLES)
        what = "was compiled by clang in another way than by 'goldilocks cc': accesses that it combined into vectors are not checked";
    if (!what)
        return;
    bool executable = __builtin_strcmp(m->path, "/proc/self/exe") == 0 && gl_os_readlink(m->path, name, sizeof name) > 0;
    int n = gl_format(text, sizeof text, "Goldilocks: %s %s\n", executable ? name : m->path, what);
    rt_print(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* ---- libraries that are opened ---- */

/* An object that was there when the program began, or when a library was opened later.  Libraries that are not instrumented come to be known at the next
 * opening of one that is, when they may have been in use for long: their memory is left as it is. */
struct object {
    struct object *next;
    uintptr_t lo;
    unsigned long loads; /* how many had been loaded ever when it came to be known */
};

enum { AT_ONCE = 64 };
static struct object *known, *unused; /* guarded by `lock`, which is held inside of the runtime only: no fork, no handler of a signal */

static struct object **place_of(uintptr_t lo)
{
    struct object **o = &known;
    while (*o && (*o)->lo != lo)
        o = &(*o)->next;
    return o;
}

static bool is_known(uintptr_t lo)
{
    gl_spin_lock(&lock);
    bool is = *place_of(lo) != NULL;
    gl_spin_unlock(&lock);
    return is;
}

static void know(const struct gl_module_loaded *m)
{
    gl_spin_lock(&lock);
    struct object *o = unused;
    if (o)
        unused = o->next;
    else
        o = gl_arena_alloc(sizeof *o);
    if (o) {
        *o = (struct object){known, m->lo, m->loads};
        known = o;
    } else {
        rt_count(RT_COUNT_access_no_memory); /* it will be made fresh again, when the next library is opened */
    }
    gl_spin_unlock(&lock);
}

static void forget(uintptr_t lo, unsigned long loads)
{
    gl_spin_lock(&lock);
    struct object **at = place_of(lo), *o = *at;
    if (o && o->loads <= loads) {
        *at = o->next;
        o->next = unused;
        unused = o;
    }
    gl_spin_unlock(&lock);
}

/* They hand work from thread to thread by atomic operations, plain stores among them, so that foreign.c could not follow them either. */
static const char hand_over[] = "libtbb/libabsl_synchronization*";
static char hands_over[1024]; /* the path of one that is not instrumented; written at the start.  At the end the linker's lock may be held by a thread that never gives it up */

static void note_hand_over(void *ctx, const char *path, bool instrumented, bool ours)
{
    (void)ctx;
    size_t n = __builtin_strlen(path) + 1;
    if (!instrumented && !ours && n <= sizeof hands_over && rt_foreign_named(hand_over, path))
        __builtin_memcpy(hands_over, path, n);
}

void rt_modules_closing(void)
{
    char text[1400];
    if (!hands_over[0] || rt.options.format == RT_FORMAT_JSON)
        return;
    int n = gl_format(text, sizeof text,
                      "Goldilocks: %s is not built with -fsanitize=thread, and hands over work by atomic operations, which are not seen: reports may be false; build it "
                      "with 'goldilocks cc'\n",
                      hands_over);
    rt_print(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void rt_modules_init(void)
{
    gl_modules_each("__tsan_init", (uintptr_t)&rt, note_hand_over, NULL);
    struct gl_module_loaded m[AT_ONCE];
    for (size_t from = 0, n = AT_ONCE; n == AT_ONCE; from += n) {
        n = gl_modules_loaded(from, m, AT_ONCE);
        for (size_t i = 0; i < n; i++)
            know(&m[i]);
    }
}

/* A constructor may be nothing but a jump to __tsan_init(), which then was called by the linker: so all that is new is looked for when anything was loaded since.
 *
 * Constructors run under the linker's lock for loading: there is one caller at a time, and nothing is loaded or unloaded meanwhile.  Its lock for the list
 * is not waited for inside of the runtime: who holds it may be waiting until all others are outside. */
void rt_module_begins(uintptr_t pc)
{
    static unsigned long looked; /* how many had been loaded when all were known; by the one caller */
    struct gl_module_loaded caller, m[AT_ONCE];
    bool new[AT_ONCE];
    struct rt_thread *t = gl_module_loaded(pc, &caller) ? rt_enter() : NULL;
    if (!t)
        return;
    bool is_new = !is_known(caller.lo) || caller.loads != looked;
    looked = caller.loads;
    rt_leave();
    for (size_t from = 0, n = AT_ONCE; is_new && n == AT_ONCE; from += n) {
        n = gl_modules_loaded(from, m, AT_ONCE);
        rt_enter_always();
        for (size_t i = 0; i < n; i++)
            new[i] = !is_known(m[i].lo);
        rt_leave();
        for (size_t i = 0; i < n; i++) {
            if (!new[i])
                continue;
            bool fresh = gl_module_needs(m[i].lo, "__tsan_init", pc);
            if (!(t = rt_enter()))
                return;
            know(&m[i]);
            if (fresh)
                rt_memory_fresh(t, m[i].lo, m[i].size);
            rt_leave();
        }
    }
}

static _Atomic uint64_t ended;

uint64_t rt_modules_ended(void) { return gl_load_relaxed(&ended); /* relaxed: who asks runs in a module that is there */ }

void rt_module_ends(uintptr_t inside)
{
    struct gl_module_loaded m;
    gl_add_relaxed(&ended, 1);
    if (gl_load_relaxed(&rt.finished) || !gl_module_loaded(inside, &m) || !rt_enter())
        return;
    forget(m.lo, m.loads);
    rt_leave();
}

void rt_module_gone(uintptr_t lo, unsigned long loads)
{
    gl_add_relaxed(&ended, 1); /* its destructors may have run since it ended */
    forget(lo, loads);
}

bool rt_module_seen(uintptr_t pc)
{
    struct gl_frame f;
    return gl_symbol_module(pc, GL_PC_RETURN, &f) && (is_of_compilers(f.module) || gl_module_needs(pc, "__tsan_init", (uintptr_t)&rt));
}

void rt_modules_look(void)
{
    if (!rt.options.warn_modules)
        return;
    gl_spin_lock(&lock);
    gl_modules_each("__tsan_init", (uintptr_t)rt_modules_look, note, NULL);
    for (struct module *m = modules; m; m = m->next)
        if (!m->told) {
            m->told = true;
            tell(m);
        }
    gl_spin_unlock(&lock);
}
