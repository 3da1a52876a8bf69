/* SPDX-License-Identifier: Apache-2.0
 *
 * Does this processor have AVX2?  Loops over numbers (column.c, peers/clock.c) exist twice on x86-64: for what every such processor has,
 * and for AVX2, in functions marked GL_AVX2.
 */
#ifndef GL_CORE_AVX2_H
#define GL_CORE_AVX2_H

#include <stdbool.h>
#include <stdint.h>

#include "core/atomic.h"

#if defined(__x86_64__) && !defined(__AVX2__)
#define GL_AVX2 __attribute__((target("avx2")))

/* It has, and the system saves its registers.  (__builtin_cpu_supports() would need libgcc.) */
static inline bool gl_avx2_find(void)
{
    uint32_t a, b, c, d;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(0), "c"(0));
    if (a < 7)
        return false;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(1), "c"(0));
    if (!(c >> 27 & 1)) /* OSXSAVE: xgetbv may be asked */
        return false;
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 6) != 6) /* XMM and YMM state */
        return false;
    __asm__("cpuid" : "=a"(a), "=b"(b), "=c"(c), "=d"(d) : "a"(7), "c"(0));
    return b >> 5 & 1;
}

/* Found out once. */
static inline bool gl_has_avx2(void)
{
    static _Atomic int known; /* 0: not asked yet; 1: no; 2: yes */
    int k = gl_load_relaxed(&known); /* relaxed: everybody finds the same */
    if (!k) {
        k = gl_avx2_find() ? 2 : 1;
        gl_store_relaxed(&known, k); /* relaxed: as above */
    }
    return k == 2;
}

#else /* what the compiler makes of a loop is the best there is, or need not be asked for */
#define GL_AVX2
static inline bool gl_has_avx2(void) { return false; }
#endif

#endif
