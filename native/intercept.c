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

void *rt_real_find(const char *name)
{
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
