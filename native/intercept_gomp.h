/* SPDX-License-Identifier: Apache-2.0
 *
 * How the functions of OpenMP's libraries are intercepted: as in intercept.h, but their real ones are looked up when they are
 * called first, since most programs have none of these libraries.
 */
#ifndef GL_NATIVE_INTERCEPT_GOMP_H
#define GL_NATIVE_INTERCEPT_GOMP_H

#include "native/intercept_libc.h"
#include "native/omp.h"

/* The real function, in the library that the program was linked with, or else in libgomp, which the linker may have left out because
 * we define the names (--as-needed).  Ends the program when there is none. */
void *rt_gomp_real(void **slot, const char *name);

#define GOMP_INTERCEPT(ret, name, params)                                                                    \
    typedef ret(*rt_type_##name) params;                                                                     \
    static void *rt_real_##name;                                                                             \
    RT_EXPORT ret name params;                                                                               \
    RT_EXPORT ret name params
#define GOMP_REAL(name) ((rt_type_##name)rt_gomp_real(&rt_real_##name, #name))

/* The task that the calling thread runs under libgomp; NULL: none.  libomp tells of its own. */
static inline struct rt_omp_task *rt_gomp_task(void)
{
    return rt_omp_tool ? NULL : rt_tls.omp;
}

/* Around a call of the real function, and of the program's function by that.  libomp may run the program's code unasked, and is known
 * by its addresses. */
static inline uintptr_t rt_gomp_enter(uintptr_t pc)
{
    uintptr_t was = rt_tls.omp_caller;
    rt_tls.omp_caller = rt_omp_tool ? 0 : pc;
    return was;
}
static inline void rt_gomp_leave(uintptr_t was) { rt_tls.omp_caller = was; }
#define GOMP_CALL(pc, ...)                                                                                   \
    do {                                                                                                     \
        uintptr_t was_ = rt_gomp_enter(pc);                                                                  \
        __VA_ARGS__;                                                                                         \
        rt_gomp_leave(was_);                                                                                 \
    } while (0)

#endif
