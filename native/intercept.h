/* SPDX-License-Identifier: Apache-2.0
 *
 * An interceptor is a few declarative lines:
 *
 *     INTERCEPT(int, pthread_mutex_lock, (pthread_mutex_t *m))
 *     {
 *         struct rt_thread *t = rt_enter();
 *         if (!t) return REAL(pthread_mutex_lock)(m);
 *         ...
 *         rt_leave();
 *     }
 *
 * It defines the exported function, the same as __interceptor_pthread_mutex_lock for a program that stands in front of it in turn (as
 * ThreadSanitizer has it), and one entry in the section `rt_interceptors`, from which rt_init() finds the real functions (dlsym
 * RTLD_NEXT); a call that comes before that finds its own.
 */
#ifndef GL_NATIVE_INTERCEPT_H
#define GL_NATIVE_INTERCEPT_H

#include "native/runtime.h"

struct rt_interceptor {
    const char *name;
    void **real;
};

void *rt_real_find(const char *name);    /* dlsym(RTLD_NEXT), with our dlvsym special cases */
void *rt_libc_private(const char *name); /* what the C library's own parts share; NULL: it has no such */

/* Is this library before the C library in the order in which the loader looks names up?  Else nothing is intercepted. */
bool rt_comes_first(void);
/* Do the program's calls reach another runtime, as where it has one inside and a library has brought us? */
bool rt_is_second(void);

/* The same in a library that may be loaded out of our sight, by a dlopen without RTLD_GLOBAL; NULL: it is not, or has no such
 * function.  load: it may be loaded for that. */
void *rt_real_in(const char *library, bool load, const char *name);
/* At a call: the function is there, or the program ends with a sentence. */
void *rt_real_or_die(const char *name);
/* The same of a C++ library, which may have been opened with the module that calls (from pc), without RTLD_GLOBAL: the one in which that module's own
 * names find `other`, a name that we do not have.  *slot is set where it is the same for all modules. */
void *rt_real_near(void **slot, const char *name, const char *other, uintptr_t pc); /* or NULL */
void *rt_real_for(void **slot, const char *name, const char *other, uintptr_t pc);

static inline void *rt_real(void **slot, const char *name)
{
    if (RT_UNLIKELY(!*slot))
        *slot = rt_real_or_die(name); /* several threads at once find the same */
    return *slot;
}

/* A second exported name of a function. */
#if __has_attribute(copy)
#define RT_ALIAS(name, of) RT_EXPORT __typeof(of) name __attribute__((alias(#of), copy(of)))
#else
#define RT_ALIAS(name, of) RT_EXPORT __typeof(of) name __attribute__((alias(#of)))
#endif

#define INTERCEPT(ret, name, params)                                                                \
    typedef ret(*rt_type_##name) params;                                                            \
    static void *rt_real_##name;                                                                    \
    static const struct rt_interceptor rt_entry_##name                                              \
        __attribute__((used, section("rt_interceptors"))) = {#name, &rt_real_##name};               \
    RT_EXPORT ret name params;                                                                      \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"")  \
    RT_ALIAS(__interceptor_##name, name);                                                           \
    _Pragma("GCC diagnostic pop")                                                                   \
    RT_EXPORT ret name params

#define REAL(name) ((rt_type_##name)rt_real(&rt_real_##name, #name))

/* The real function, for a caller whose library may have been opened with a C++ library that the rest of the program does not see; other: a name
 * of that library which is not intercepted. */
#define CXX_REAL(name, other, pc) ((rt_type_##name)rt_real_for(&rt_real_##name, #name, other, pc))

#endif
