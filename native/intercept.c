/* SPDX-License-Identifier: Apache-2.0
 *
 * Finds the function that an interceptor stands in front of.
 */
#include "native/intercept_libc.h"

#include <dlfcn.h>

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

void *rt_real_find(const char *name)
{
    const struct rt_static_real *r = __start_rt_reals, *end = __stop_rt_reals;
    if (r != end) {
        for (; r < end; r++)
            if (same(r->name, name))
                return r->real;
        return NULL;
    }
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
        dlerror(); /* the failure is ours: the program must not read it */
    errno = saved;
    return found;
}
