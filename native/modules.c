/* SPDX-License-Identifier: Apache-2.0
 *
 * Which of the program's modules are not seen, or not wholly: said once each, by name, on stderr, when option warn_modules asks
 * for it.  Looked at when the program begins, before a library is closed, and at the end: what was opened in between is there then.
 *
 * And which libraries are opened while it runs: the linker maps them itself, maybe where libc has unmapped something (a large block, a stack), or
 * where something was moved away.  So their memory is made fresh when the first code of theirs runs, the constructor that calls __tsan_init().
 *
 * The libraries that come with compilers are left out: what matters of them is intercepted, and nobody can build them anew.
 */
#include "native/state.h"
#include "symbol/build.h"
#include "symbol/dynamic.h"

struct module {
    struct module *next;
    bool instrumented, told;
    char path[];
};

static struct gl_spin lock; /* guards the list and what is in it, and `begun` */
static struct module *modules;

/* Up to the first dot, or the first dash before a version. */
static const char *const of_compilers[] = {
    "libc",      "libm",     "ld-linux-x86-64", "ld-linux-aarch64", "libpthread", "libdl",       "librt",     "libutil",    "libresolv",
    "libmvec",   "libanl",   "libgcc_s",        "libstdc++",        "libc++",     "libc++abi",   "libunwind", "libatomic",  "libgomp",
    "libgfortran", "libquadmath", "libomp",     "libnss_files",     "libnss_dns", "libthread_db", "libtsan",  "libgoldilocks_rt",
};

static bool is_of_compilers(const char *path)
{
    const char *name = path;
    for (const char *s = path; *s; s++)
        if (*s == '/')
            name = s + 1;
    size_t n = 0;
    while (name[n] && name[n] != '.')
        n++;
    for (size_t i = 0; i < sizeof of_compilers / sizeof of_compilers[0]; i++)
        if (__builtin_strlen(of_compilers[i]) == n && __builtin_strncmp(name, of_compilers[i], n) == 0)
            return true;
    return false;
}

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
    (void)gl_os_write(2, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

/* ---- libraries that are opened ---- */

static unsigned long at_first; /* how many objects the program began with */

void rt_modules_init(void) { at_first = gl_modules_count(); }

void rt_module_begins(uintptr_t pc)
{
    static struct gl_module_loaded begun; /* the last one */
    struct gl_module_loaded m;
    /* The linker's lock is not waited for inside the runtime: who holds it may be waiting until all others are outside. */
    struct rt_thread *t = gl_module_loaded(pc, &m) && m.place >= at_first ? rt_enter() : NULL;
    if (!t)
        return;
    gl_spin_lock(&lock); /* inside: no fork happens, and no handler of a signal runs, while it is held */
    bool is_new = m.lo != begun.lo || m.loads != begun.loads; /* else another constructor of its own was here before: they come first */
    begun = m;
    gl_spin_unlock(&lock);
    if (is_new)
        rt_memory_fresh(t, m.lo, m.size);
    rt_leave();
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
