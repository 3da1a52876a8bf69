// SPDX-License-Identifier: Apache-2.0
// The names that programs of the standard of 2023 have for functions of libc, which has them since glibc 2.38: here each is the older function,
// the C library's own, past whatever stands in front of it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // RTLD_NEXT
#endif
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#define SAME(ret, name, older, params, args)                                                                           \
    ret __isoc23_##name params;                                                                                        \
    ret __isoc23_##name params { return ((ret(*) params)dlsym(RTLD_NEXT, older)) args; }

#define SAME_INTEGER(ret, name) SAME(ret, name, #name, (const char *s, char **end, int base), (s, end, base))
#define SAME_SCAN(name, params, args)                                                                                  \
    SAME(int, v##name, "__isoc99_v" #name, (params const char *format, va_list ap), (args format, ap))                 \
    int __isoc23_##name(params const char *format, ...);                                                               \
    int __isoc23_##name(params const char *format, ...)                                                                \
    {                                                                                                                  \
        va_list ap;                                                                                                    \
        va_start(ap, format);                                                                                          \
        int r = __isoc23_v##name(args format, ap);                                                                     \
        va_end(ap);                                                                                                    \
        return r;                                                                                                      \
    }
#define NONE
#define STREAM FILE *f,
#define STRING const char *s,
#define F      f,
#define S      s,

SAME_INTEGER(long, strtol)
SAME_INTEGER(long long, strtoll)
SAME_INTEGER(unsigned long, strtoul)
SAME_INTEGER(unsigned long long, strtoull)
SAME_INTEGER(intmax_t, strtoimax)
SAME_INTEGER(uintmax_t, strtoumax)
SAME_SCAN(scanf, NONE, NONE)
SAME_SCAN(fscanf, STREAM, F)
SAME_SCAN(sscanf, STRING, S)
