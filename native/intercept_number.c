/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers: from strings, random ones, in parts; and sorting.
 */
#include "native/intercept_libc.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h> /* of its functions those that libc itself has: a program need not be linked with libm */
#include <search.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/random.h>
#include <wchar.h>

/* ---- strings as numbers ---- */

/* A conversion reads up to the first character that it does not take.  Where it takes none that is behind what it passes over: white space, a sign.  stop:
 * where libc says that the number ends; NULL: libc does not say, since it has refused the base. */
static void number_read(const char *s, const char *stop, uintptr_t pc)
{
    if (!stop)
        return;
    int saved = errno; /* isspace() is libc's */
    if (stop == s) {
        while (isspace((unsigned char)*stop))
            stop++;
        stop += *stop == '-' || *stop == '+';
    }
    rt_has_read(s, (size_t)(stop - s) + 1, pc);
    errno = saved;
}

#define CONVERTS(ret, name, more, rest)                                                                      \
    INTERCEPT(ret, name, (const char *restrict s, char **restrict end more))                                 \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *stop = NULL;                                                                                   \
        ret r = REAL(name)(s, &stop rest);                                                                   \
        if (end && stop) {                                                                                   \
            rt_has_written(end, sizeof *end, pc);                                                            \
            *end = stop;                                                                                     \
        }                                                                                                    \
        number_read(s, stop, pc);                                                                            \
        return r;                                                                                            \
    }
#define COMMA                 ,
#define TO_INTEGER(ret, name) CONVERTS(ret, name, COMMA int base, COMMA base)
#define TO_INTEGER_2023(ret, name)                                                                           \
    ret name(const char *restrict s, char **restrict end, int base);                                         \
    TO_INTEGER(ret, name)

TO_INTEGER(long, strtol)
TO_INTEGER(long long, strtoll)
TO_INTEGER(unsigned long, strtoul)
TO_INTEGER(unsigned long long, strtoull)
TO_INTEGER(intmax_t, strtoimax)
TO_INTEGER(uintmax_t, strtoumax)
TO_INTEGER_2023(long, __isoc23_strtol)
TO_INTEGER_2023(long long, __isoc23_strtoll)
TO_INTEGER_2023(unsigned long, __isoc23_strtoul)
TO_INTEGER_2023(unsigned long long, __isoc23_strtoull)
TO_INTEGER_2023(intmax_t, __isoc23_strtoimax)
TO_INTEGER_2023(uintmax_t, __isoc23_strtoumax)
CONVERTS(float, strtof, , )
CONVERTS(double, strtod, , )
CONVERTS(long double, strtold, , )
/* These are the same without an end. */
#define CONVERTS_ONLY(ret, name, by, rest)                                                                   \
    INTERCEPT(ret, name, (const char *s))                                                                    \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *stop = NULL;                                                                                   \
        ret r = (ret)REAL(by)(s, &stop rest);                                                                \
        number_read(s, stop, pc);                                                                            \
        return r;                                                                                            \
    }
CONVERTS_ONLY(int, atoi, strtol, COMMA 10)
CONVERTS_ONLY(long, atol, strtol, COMMA 10)
CONVERTS_ONLY(long long, atoll, strtoll, COMMA 10)
CONVERTS_ONLY(double, atof, strtod, )

/* ---- random ---- */

CALLS(int, rand_r, (unsigned *seed), (seed), true, WHOLE(seed))
/* Of the state the two places move, but in the oldest kind. */
CALLS(int, random_r, (struct random_data *restrict state, int32_t *restrict to), (state, to), r == 0,
      R(state, sizeof *state);
      W(state, state->rand_type != 0 ? sizeof state->fptr + sizeof state->rptr : 0); WHOLE(to))
_Static_assert(offsetof(struct random_data, rptr) == sizeof(int32_t *), "the two places are first");
CALLS(int, drand48_r, (struct drand48_data *restrict state, double *restrict to), (state, to), r == 0,
      WHOLE(state);
      WHOLE(to))
CALLS(int, lrand48_r, (struct drand48_data *restrict state, long *restrict to), (state, to), r == 0,
      WHOLE(state);
      WHOLE(to))
CALLS(ssize_t, getrandom, (void *p, size_t n, unsigned flags), (p, n, flags), r > 0, W(p, (size_t)r))
CALLS(int, getentropy, (void *p, size_t n), (p, n), r == 0, W(p, n))

/* ---- in parts ---- */

#define SPLITS(name, type, second) CALLS(type, name, (type x, second * to), (x, to), true, WHOLE(to))

SPLITS(frexp, double, int)
SPLITS(frexpf, float, int)
SPLITS(frexpl, long double, int)
SPLITS(modf, double, double)
SPLITS(modff, float, float)
SPLITS(modfl, long double, long double)

/* ---- gamma: the sign is apart ---- */

/* libm's, if it is there. */
extern int signgam __attribute__((weak));

#define GAMMA(name, type)                                                                                    \
    CALLS(type, name, (type x), (x), true, W(&signgam, &signgam ? sizeof signgam : 0))                       \
    CALLS(type, name##_r, (type x, int *sign), (x, sign), true, WHOLE(sign))

GAMMA(lgamma, double)
GAMMA(lgammaf, float)
GAMMA(lgammal, long double)

/* Where there is no remainder (a division by 0) glibc leaves the quotient as it is. */
#define TWO_RESULTS(end, type)                                                                               \
    CALLS(type, remquo##end, (type x, type y, int *to), (x, y, to), !isnan(r), WHOLE(to))                    \
    INTERCEPT(void, sincos##end, (type x, type * sine, type * cosine))                                       \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        REAL(sincos##end)(x, sine, cosine);                                                                  \
        WHOLE(sine);                                                                                         \
        WHOLE(cosine);                                                                                       \
    }

TWO_RESULTS(, double)
TWO_RESULTS(f, float)
TWO_RESULTS(l, long double)

/* ---- sorting, searching ---- */

/* The nodes between the root and the key are libc's. */
INTERCEPT(void *, tsearch, (const void *key, void **root, __compar_fn_t compare))
{
    uintptr_t pc = RT_CALLER();
    const void *before = root ? *root : NULL;
    void *r = REAL(tsearch)(key, root, compare);
    if (root && *root != before)
        WHOLE(root);
    else
        R(root, sizeof *root);
    if (r && *(const void **)r == key)
        rt_has_written(r, sizeof key, pc);
    return r;
}

/* The comparison reads elements by itself; the sort moves all of them. */
INTERCEPT(void, qsort, (void *p, size_t n, size_t size, __compar_fn_t compare))
{
    uintptr_t pc = RT_CALLER();
    rt_has_written(p, n > 1 ? n * size : 0, pc);
    REAL(qsort)(p, n, size, compare);
}

INTERCEPT(void, qsort_r, (void *p, size_t n, size_t size, __compar_d_fn_t compare, void *arg))
{
    uintptr_t pc = RT_CALLER();
    rt_has_written(p, n > 1 ? n * size : 0, pc);
    REAL(qsort_r)(p, n, size, compare, arg);
}
