/* SPDX-License-Identifier: Apache-2.0
 *
 * Wide strings, and strings of other encodings.
 */
#include "native/intercept_libc.h"

#include <iconv.h>
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

/* Measured here, so that no wide function of libc need be the real one of an interceptor's. */
static size_t units(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static size_t units_within(const wchar_t *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

#define WIDE(p, n)  rt_has_read((p), (n) * sizeof(wchar_t), pc)
#define WROTE(p, n) rt_has_written((p), (n) * sizeof(wchar_t), pc)

CALLS(size_t, wcslen, (const wchar_t *s), (s), true, WIDE(s, r + 1))
CALLS(size_t, wcsnlen, (const wchar_t *s, size_t max), (s, max), true, WIDE(s, r < max ? r + 1 : max))
CALLS(wchar_t *, wcscpy, (wchar_t *restrict to, const wchar_t *restrict s), (to, s), true,
      size_t n = units(to) + 1;
      WIDE(s, n); WROTE(to, n))
/* As much of a string as a function reads that has copied n characters of it at most. */
static void wide_within(const wchar_t *s, const wchar_t *copy, size_t n, uintptr_t pc)
{
    size_t length = units_within(copy, n);
    WIDE(s, length < n ? length + 1 : n);
}

CALLS(wchar_t *, wcsncpy, (wchar_t *restrict to, const wchar_t *restrict s, size_t n), (to, s, n), true,
      wide_within(s, to, n, pc);
      WROTE(to, n))
/* Before a string is put behind another one. */
static void wide_appends(const wchar_t *to, const wchar_t *s, uintptr_t pc)
{
    size_t at = units(to), n = units(s) + 1;
    WIDE(to, at + 1);
    WIDE(s, n);
    WROTE(to + at, n);
}

static void wide_appends_within(const wchar_t *to, const wchar_t *s, size_t max, uintptr_t pc)
{
    size_t at = units(to), n = units_within(s, max);
    WIDE(to, at + 1);
    WIDE(s, n < max ? n + 1 : max);
    WROTE(to + at, n + 1);
}

INTERCEPT(wchar_t *, wcscat, (wchar_t *restrict to, const wchar_t *restrict s))
{
    wide_appends(to, s, RT_CALLER());
    return REAL(wcscat)(to, s);
}

INTERCEPT(wchar_t *, wcsncat, (wchar_t *restrict to, const wchar_t *restrict s, size_t max))
{
    wide_appends_within(to, s, max, RT_CALLER());
    return REAL(wcsncat)(to, s, max);
}

INTERCEPT(wchar_t *, wcsdup, (const wchar_t *s))
{
    uintptr_t pc = RT_CALLER();
    size_t n = units(s) + 1;
    wchar_t *copy = rt_malloc(n * sizeof *copy, pc);
    if (!copy)
        return NULL;
    WIDE(s, n);
    WROTE(copy, n);
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    return copy;
}

CALLS(int, wcscmp, (const wchar_t *a, const wchar_t *b), (a, b), true, size_t n = 0;
      while (a[n] == b[n] && a[n]) n++; WIDE(a, n + 1); WIDE(b, n + 1))
CALLS(wchar_t *, wmemcpy, (wchar_t *restrict to, const wchar_t *restrict s, size_t n), (to, s, n), true,
      WIDE(s, n);
      WROTE(to, n))
CALLS(wchar_t *, wmemmove, (wchar_t * to, const wchar_t *s, size_t n), (to, s, n), true, WIDE(s, n);
      WROTE(to, n))
CALLS(wchar_t *, wmemset, (wchar_t * to, wchar_t c, size_t n), (to, c, n), true, WROTE(to, n))
CALLS(size_t, wcsxfrm, (wchar_t *restrict to, const wchar_t *restrict s, size_t n), (to, s, n), true,
      WIDE(s, units(s) + 1);
      WROTE(to, r < n ? r + 1 : 0))
CALLS(size_t, wcsxfrm_l, (wchar_t *restrict to, const wchar_t *restrict s, size_t n, locale_t l),
      (to, s, n, l), true, WIDE(s, units(s) + 1);
      WROTE(to, r < n ? r + 1 : 0))
RT_ALIAS(__wcsxfrm_l, wcsxfrm_l);

/* ---- to and from bytes ---- */

#define FAILED ((size_t)-1)

/* What was read of the n bytes or fewer at `from`, of which all to the end of the string was converted if `whole`, else what is before `to`. */
static void bytes_read(const char *from, const char *to, size_t n, bool whole, uintptr_t pc)
{
    size_t length = 0;
    while (whole && length < n && from[length])
        length++;
    rt_has_read(from, whole ? (length < n ? length + 1 : n) : (size_t)(to - from), pc);
}

static void wide_read(const wchar_t *from, const wchar_t *to, size_t n, bool whole, uintptr_t pc)
{
    size_t length = whole ? units_within(from, n) : 0;
    WIDE(from, whole ? (length < n ? length + 1 : n) : (size_t)(to - from));
}

/* Without room for the end it is not known which character was the last: each has a byte of its own, or fewer than MB_CUR_MAX. */
#define TO_WIDE(name, params, args)                                                                          \
    CALLS(size_t, name, params, args, r != FAILED, bytes_read(s, s + r, SIZE_MAX, !to || r < n, pc);         \
          WROTE(to, r < n ? r + 1 : n))
#define FROM_WIDE(name, params, args)                                                                        \
    CALLS(size_t, name, params, args, r != FAILED,                                                           \
          wide_read(s, s + (r + MB_CUR_MAX - 1) / MB_CUR_MAX, SIZE_MAX, !to || r < n, pc);                   \
          W(to, r < n ? r + 1 : n))

/* With a place in the source, which moves; it is NULL when all was converted. */
#define MOVES(name, params, args, type, read, m, record)                                                     \
    INTERCEPT(size_t, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        const type *from = *s;                                                                               \
        size_t r = REAL(name) args;                                                                          \
        if (r != FAILED && from) {                                                                           \
            read(from, *s, m, !to || !*s, pc);                                                               \
            record;                                                                                          \
            if (to)                                                                                          \
                WHOLE(s);                                                                                    \
            else                                                                                             \
                R(s, sizeof *s);                                                                             \
        }                                                                                                    \
        return r;                                                                                            \
    }
#define MOVES_TO_WIDE(name, params, args)     MOVES(name, params, args, char, bytes_read, SIZE_MAX, WROTE(to, to ? (r < n ? r + 1 : n) : 0))
#define MOVES_M_TO_WIDE(name, params, args)   MOVES(name, params, args, char, bytes_read, m, WROTE(to, to ? (r < n && !*s ? r + 1 : r) : 0))
#define MOVES_FROM_WIDE(name, params, args)   MOVES(name, params, args, wchar_t, wide_read, SIZE_MAX, W(to, to ? (r < n ? r + 1 : n) : 0))
#define MOVES_M_FROM_WIDE(name, params, args) MOVES(name, params, args, wchar_t, wide_read, m, W(to, to ? (r < n && !*s ? r + 1 : r) : 0))

TO_WIDE(mbstowcs, (wchar_t *restrict to, const char *restrict s, size_t n), (to, s, n))
FROM_WIDE(wcstombs, (char *restrict to, const wchar_t *restrict s, size_t n), (to, s, n))
MOVES_TO_WIDE(mbsrtowcs, (wchar_t *restrict to, const char **restrict s, size_t n, mbstate_t *restrict state), (to, s, n, state))
MOVES_M_TO_WIDE(mbsnrtowcs, (wchar_t *restrict to, const char **restrict s, size_t m, size_t n, mbstate_t *restrict state), (to, s, m, n, state))
MOVES_FROM_WIDE(wcsrtombs, (char *restrict to, const wchar_t **restrict s, size_t n, mbstate_t *restrict state), (to, s, n, state))
MOVES_M_FROM_WIDE(wcsnrtombs, (char *restrict to, const wchar_t **restrict s, size_t m, size_t n, mbstate_t *restrict state), (to, s, m, n, state))
CALLS(size_t, wcrtomb, (char *restrict to, wchar_t c, mbstate_t *restrict state), (to, c, state), r != FAILED,
      W(to, to ? r : 0))
CALLS(int, wctomb, (char *to, wchar_t c), (to, c), r > 0, W(to, (size_t)r))

size_t rt_wide_bytes(wchar_t c)
{
    char bytes[MB_LEN_MAX];
    mbstate_t state = {0};
    if ((unsigned)c < 0x80) /* the same in all of glibc's locales */
        return 1;
    int saved = errno;
    size_t n = REAL(wcrtomb)(bytes, c, &state);
    errno = saved;
    return n;
}

/* ---- as compiled with _FORTIFY_SOURCE: the real function checks `room` and may end the program ---- */

#define CHECKED(ret, name, params, args, good, ...)                                                          \
    ret name params;                                                                                         \
    CALLS(ret, name, params, args, good, __VA_ARGS__)

CHECKED(wchar_t *, __wcscpy_chk, (wchar_t *to, const wchar_t *s, size_t room), (to, s, room), true, size_t n = units(to) + 1;
        WIDE(s, n); WROTE(to, n))
CHECKED(wchar_t *, __wcsncpy_chk, (wchar_t *to, const wchar_t *s, size_t n, size_t room), (to, s, n, room), true,
        wide_within(s, to, n, pc);
        WROTE(to, n))
CHECKED(wchar_t *, __wmemcpy_chk, (wchar_t *to, const wchar_t *s, size_t n, size_t room), (to, s, n, room), true, WIDE(s, n);
        WROTE(to, n))
CHECKED(wchar_t *, __wmemmove_chk, (wchar_t *to, const wchar_t *s, size_t n, size_t room), (to, s, n, room), true, WIDE(s, n);
        WROTE(to, n))
CHECKED(wchar_t *, __wmemset_chk, (wchar_t *to, wchar_t c, size_t n, size_t room), (to, c, n, room), true, WROTE(to, n))
size_t __mbstowcs_chk(wchar_t *to, const char *s, size_t n, size_t room);
TO_WIDE(__mbstowcs_chk, (wchar_t *to, const char *s, size_t n, size_t room), (to, s, n, room))
size_t __wcstombs_chk(char *to, const wchar_t *s, size_t n, size_t room);
FROM_WIDE(__wcstombs_chk, (char *to, const wchar_t *s, size_t n, size_t room), (to, s, n, room))
size_t __mbsrtowcs_chk(wchar_t *to, const char **s, size_t n, mbstate_t *state, size_t room);
MOVES_TO_WIDE(__mbsrtowcs_chk, (wchar_t *to, const char **s, size_t n, mbstate_t *state, size_t room), (to, s, n, state, room))
size_t __mbsnrtowcs_chk(wchar_t *to, const char **s, size_t m, size_t n, mbstate_t *state, size_t room);
MOVES_M_TO_WIDE(__mbsnrtowcs_chk, (wchar_t *to, const char **s, size_t m, size_t n, mbstate_t *state, size_t room), (to, s, m, n, state, room))
size_t __wcsrtombs_chk(char *to, const wchar_t **s, size_t n, mbstate_t *state, size_t room);
MOVES_FROM_WIDE(__wcsrtombs_chk, (char *to, const wchar_t **s, size_t n, mbstate_t *state, size_t room), (to, s, n, state, room))
size_t __wcsnrtombs_chk(char *to, const wchar_t **s, size_t m, size_t n, mbstate_t *state, size_t room);
MOVES_M_FROM_WIDE(__wcsnrtombs_chk, (char *to, const wchar_t **s, size_t m, size_t n, mbstate_t *state, size_t room), (to, s, m, n, state, room))
CHECKED(size_t, __wcrtomb_chk, (char *to, wchar_t c, mbstate_t *state, size_t room), (to, c, state, room), r != FAILED,
        W(to, to ? r : 0))
CHECKED(int, __wctomb_chk, (char *to, wchar_t c, size_t room), (to, c, room), r > 0, W(to, (size_t)r))

wchar_t *__wcscat_chk(wchar_t *to, const wchar_t *s, size_t room);
INTERCEPT(wchar_t *, __wcscat_chk, (wchar_t *to, const wchar_t *s, size_t room))
{
    wide_appends(to, s, RT_CALLER());
    return REAL(__wcscat_chk)(to, s, room);
}

wchar_t *__wcsncat_chk(wchar_t *to, const wchar_t *s, size_t max, size_t room);
INTERCEPT(wchar_t *, __wcsncat_chk, (wchar_t *to, const wchar_t *s, size_t max, size_t room))
{
    wide_appends_within(to, s, max, RT_CALLER());
    return REAL(__wcsncat_chk)(to, s, max, room);
}

INTERCEPT(size_t, iconv,
          (iconv_t cd, char **restrict in, size_t *restrict in_left, char **restrict out,
           size_t *restrict out_left))
{
    uintptr_t pc = RT_CALLER();
    const char *from = in ? *in : NULL, *to = out ? *out : NULL;
    size_t r = REAL(iconv)(cd, in, in_left, out, out_left);
    if (r == FAILED && errno == EBADF) /* no conversion */
        return r;
    if (from) {
        rt_has_read(from, (size_t)(*in - from), pc);
        WHOLE(in);
        WHOLE(in_left);
    }
    if (to) {
        rt_has_written(to, (size_t)(*out - to), pc);
        WHOLE(out);
        WHOLE(out_left);
    }
    return r;
}
