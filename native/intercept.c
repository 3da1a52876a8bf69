/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the function that an interceptor stands in front of.
 */
#include "native/intercept_libc.h"

#include <dlfcn.h>

#include "native/state.h"

#if defined(__x86_64__)
static bool begins_with(const char *name, const char *prefix)
{
    while (*prefix && *name == *prefix)
        name++, prefix++;
    return !*prefix;
}
#endif

/* In a program that is linked statically no dynamic linker knows what lies behind a name.  Its C library's functions have other
 * names then, __real_ before their own, and this table knows them (cmake/static_libraries). */
extern const struct rt_static_real {
    const char *name;
    void *real;
} __start_rt_reals[] __attribute__((weak, visibility("hidden"))), __stop_rt_reals[] __attribute__((weak, visibility("hidden")));

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* A look-up of ours has failed, which the program must not read.  glibc forgets it at the next that succeeds; dlerror() would first put it into the user's language, under a lock of
 * libc's that who called the malloc() which began us may hold (bindtextdomain() in a constructor). */
static void forget_failure(void)
{
    (void)dlsym(RTLD_DEFAULT, "malloc");
}

void *rt_real_find(const char *name)
{
    const struct rt_static_real *r = __start_rt_reals, *end = __stop_rt_reals;
    if (r != end) {
        for (; r < end; r++)
            if (same(r->name, name))
                return r->real;
        return NULL;
    }
    (void)rt_libc(); /* before a look-up may fail: rt_libc_heap_find() */
    int saved = errno;
    void *found = NULL;
#if defined(__x86_64__)
    /* Two sets of condition variables exist; a condition variable of one is garbage to the other.  Programs
     * use the newer one. */
    if (begins_with(name, "pthread_cond_"))
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    if (!found)
        found = dlsym(RTLD_NEXT, name);
    if (!found)
        forget_failure();
    errno = saved;
    return found;
}

#if defined(__x86_64__)
#define OLDEST "GLIBC_2.2.5" /* the version of what glibc has had since it runs on this machine */
#else
#define OLDEST "GLIBC_2.17"
#endif

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);
extern void *__libc_valloc(size_t n);
extern void *__libc_pvalloc(size_t n);
extern void __libc_free(void *p);

struct rt_libc_heap rt_libc_heap;
bool rt_libc_heap_known;

/* dlvsym(), other than a relocation, passes over a symbol without a version in a library that is not libc. */
static void *versioned(const char *name, void *otherwise)
{
    void *found = dlvsym(RTLD_NEXT, name, OLDEST);
    if (!found)
        forget_failure();
    return found ? found : otherwise;
}

void *rt_libc_private(const char *name)
{
    const struct rt_static_real *first = __start_rt_reals, *end = __stop_rt_reals;
    if (first != end) /* a static program */
        return rt_real_find(name);
    (void)rt_libc();
    void *found = dlvsym(RTLD_NEXT, name, "GLIBC_PRIVATE");
    if (!found)
        forget_failure();
    return found;
}

void rt_libc_heap_find(void)
{
    /* A look-up frees the text of one that failed before: by our free(), if the program has its own malloc() only.  There a look-up would free it once more. */
    static __thread bool finding;
    if (finding) {
        if (!rt_libc_heap.free)
            rt_libc_heap.free = __libc_free;
        return;
    }
    finding = true;
    int saved = errno;
    const struct rt_static_real *first = __start_rt_reals, *end = __stop_rt_reals;
    bool is_static = first != end;
#define FIND(field, name) rt_libc_heap.field = is_static ? (void *)name : versioned(#name, (void *)name)
    FIND(malloc, __libc_malloc);
    FIND(calloc, __libc_calloc);
    FIND(realloc, __libc_realloc);
    FIND(memalign, __libc_memalign);
    FIND(valloc, __libc_valloc);
    FIND(pvalloc, __libc_pvalloc);
    FIND(free, __libc_free);
    rt_libc_heap.usable_size = rt_real_find("malloc_usable_size");
    if (!is_static)
        rt_libc_heap.usable_size = versioned("malloc_usable_size", (void *)rt_libc_heap.usable_size);
#undef FIND
    __atomic_store_n(&rt_libc_heap_known, true, __ATOMIC_RELEASE); /* pairs with rt_libc(); several threads at once find the same */
    finding = false;
    errno = saved;
}

void *rt_real_in(const char *library, bool load, const char *name)
{
    int saved = errno;
    /* Not by its name, of which the linker warns in static programs, where this finds nothing. */
    void *(*open)(const char *, int) = (void *(*)(const char *, int))rt_real_find("dlopen");
    void *handle = open ? open(library, RTLD_LAZY | (load ? 0 : RTLD_NOLOAD)) : NULL;
    void *found = handle ? dlsym(handle, name) : NULL; /* the handle stays open: so does the function */
    if (!found)
        forget_failure();
    errno = saved;
    return found;
}

void *rt_real_or_die(const char *name)
{
    static const char *const homes[] = {"libm.so.6", "libcrypt.so.1", "libtirpc.so.3", "libresolv.so.2"};
    void *found = rt_real_find(name);
    /* A clang that links its own runtime names such a library to the linker, so that a program need not. */
    const size_t n = sizeof homes / sizeof *homes;
    for (size_t i = 0; !found && i < 2 * n; i++)
        found = rt_real_in(homes[i % n], i >= n, name);
    if (!found)
        rt_die("%s is called, but no library with it is loaded", name);
    return found;
}

void *rt_real_near(void **slot, const char *name, const char *other, uintptr_t pc)
{
    if (!*slot)
        *slot = rt_real_find(name); /* several threads at once find the same */
    if (*slot)
        return *slot;
    int saved = errno;
    void *(*open)(const char *, int) = (void *(*)(const char *, int))rt_real_find("dlopen");
    int (*close)(void *) = (int (*)(void *))rt_real_find("dlclose");
    int (*about)(const void *, Dl_info *) = (int (*)(const void *, Dl_info *))rt_real_find("dladdr");
    Dl_info info;
    void *found = NULL;
    if (open && close && about && about((void *)pc, &info)) {
        void *module = open(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD), *near = module ? dlsym(module, other) : NULL;
        /* That library's own comes first in its names; the module's would lead to ours. */
        if (near && about(near, &info))
            found = rt_real_in(info.dli_fname, false, name);
        if (module)
            close(module);
        if (!found)
            forget_failure();
    }
    errno = saved;
    return found;
}

void *rt_real_for(void **slot, const char *name, const char *other, uintptr_t pc)
{
    void *found = rt_real_near(slot, name, other, pc);
    return found ? found : rt_real_or_die(name);
}
