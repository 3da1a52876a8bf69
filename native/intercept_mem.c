/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions of libc that read or write ranges of the program's memory: libc is not instrumented, so
 * their accesses are recorded here.
 *
 * A range holds the bytes that the function's definition makes it touch: strlen reads the terminator too,
 * strcmp reads up to the first difference, memchr up to the match, memcmp all of both.  Writers are
 * recorded before they write; readers whose extent is their result, after.  Ends of strings are found
 * outside the runtime, where a bad pointer is the program's own fault.
 *
 * Compiled with -fno-builtin -fno-tree-loop-distribute-patterns: a loop here must not become a call of
 * the function that it is part of.
 */
#include "native/intercept_libc.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define READ(p, n)  rt_read_range(t, (p), (n), pc)
#define WRITE(p, n) rt_write_range(t, (p), (n), pc)

/* Records, then calls. */
#define BEFORE(ret, name, params, args, record)                                                              \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        RT_RECORD(t, record);                                                                                \
        return REAL(name) args;                                                                              \
    }

/* Calls, then records what the result r tells. */
#define AFTER(ret, name, params, args, record)                                                               \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ret r = REAL(name) args;                                                                             \
        RT_RECORD(t, record);                                                                                \
        return r;                                                                                            \
    }

/* `measure` looks at the program's memory, then records, then calls. */
#define MEASURED(ret, name, params, args, measure, record)                                                   \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        measure;                                                                                             \
        RT_RECORD(t, record);                                                                                \
        return REAL(name) args;                                                                              \
    }

/* From p to the match r, inclusive. */
static size_t up_to(const void *p, const void *r) { return (size_t)((const char *)r - (const char *)p) + 1; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- memory ---- */

BEFORE(void *, memcpy, (void *restrict to, const void *restrict from, size_t n), (to, from, n), READ(from, n);
       WRITE(to, n))
BEFORE(void *, mempcpy, (void *restrict to, const void *restrict from, size_t n), (to, from, n),
       READ(from, n);
       WRITE(to, n))
BEFORE(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), READ(from, n); WRITE(to, n))
BEFORE(void *, memset, (void *p, int byte, size_t n), (p, byte, n), WRITE(p, n))
BEFORE(void, bzero, (void *p, size_t n), (p, n), WRITE(p, n))
BEFORE(void, bcopy, (const void *from, void *to, size_t n), (from, to, n), READ(from, n); WRITE(to, n))
BEFORE(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), READ(a, n); READ(b, n))
BEFORE(int, bcmp, (const void *a, const void *b, size_t n), (a, b, n), READ(a, n); READ(b, n))

RT_ALIAS(__mempcpy, mempcpy);
RT_ALIAS(__bzero, bzero);

AFTER(void *, memchr, (const void *p, int byte, size_t n), (p, byte, n), READ(p, r ? up_to(p, r) : n))
AFTER(void *, rawmemchr, (const void *p, int byte), (p, byte), READ(p, up_to(p, r)))
AFTER(void *, memrchr, (const void *p, int byte, size_t n), (p, byte, n), if (r) READ(r, n + 1 - up_to(p, r));
      else READ(p, n))
AFTER(void *, memmem, (const void *p, size_t n, const void *q, size_t m), (p, n, q, m),
      READ(q, n < m ? 0 : m);
      READ(p, n < m ? 0
              : r   ? up_to(p, r) - 1 + m
                    : n))
AFTER(void *, memccpy, (void *restrict to, const void *restrict from, int byte, size_t n),
      (to, from, byte, n), READ(from, r ? up_to(to, r) - 1 : n);
      WRITE(to, r ? up_to(to, r) - 1 : n))

/* ---- lengths and searches ---- */

AFTER(size_t, strlen, (const char *s), (s), READ(s, r + 1))
AFTER(size_t, strnlen, (const char *s, size_t n), (s, n), READ(s, r < n ? r + 1 : n))

size_t rt_string_length(const char *s) { return REAL(strlen)(s); }

static size_t size_of(const char *s) /* of the string with its terminator */ { return REAL(strlen)(s) + 1; }

static size_t size_within(const char *s,
                          size_t n) /* as far as a function that looks at n bytes at most reads */
{
    return least(REAL(strnlen)(s, n) + 1, n);
}

/* A search that stops at the match or at the terminator. */
#define SEARCH(name, params, args, extra)                                                                    \
    INTERCEPT(char *, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *r = REAL(name) args;                                                                           \
        size_t n = r ? up_to(s, r) : size_of(s);                                                             \
        RT_RECORD(t, READ(s, n); extra);                                                                     \
        return r;                                                                                            \
    }

SEARCH(strchr, (const char *s, int c), (s, c), (void)0)
SEARCH(strchrnul, (const char *s, int c), (s, c), (void)0)
SEARCH(index, (const char *s, int c), (s, c), (void)0)

MEASURED(char *, strrchr, (const char *s, int c), (s, c), size_t n = size_of(s), READ(s, n))
MEASURED(char *, rindex, (const char *s, int c), (s, c), size_t n = size_of(s), READ(s, n))
MEASURED(size_t, strspn, (const char *s, const char *set), (s, set), size_t m = size_of(set);
         size_t n = REAL(strspn)(s, set) + 1, READ(set, m); READ(s, n))
MEASURED(size_t, strcspn, (const char *s, const char *set), (s, set), size_t m = size_of(set);
         size_t n = REAL(strcspn)(s, set) + 1, READ(set, m); READ(s, n))
/* strpbrk stops where strcspn does. */
MEASURED(char *, strpbrk, (const char *s, const char *set), (s, set), size_t m = size_of(set);
         size_t n = REAL(strcspn)(s, set) + 1, READ(set, m); READ(s, n))

#define SUBSTRING(name)                                                                                      \
    INTERCEPT(char *, name, (const char *s, const char *what))                                               \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *r = REAL(name)(s, what);                                                                       \
        size_t m = size_of(what), n = r ? up_to(s, r) - 1 + (m - 1) : size_of(s);                            \
        RT_RECORD(t, READ(what, m); READ(s, n));                                                             \
        return r;                                                                                            \
    }

SUBSTRING(strstr)
SUBSTRING(strcasestr)

/* ---- comparisons ---- */

/* How many bytes a comparison of at most n looks at: up to a difference or the terminator. */
static size_t compared(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] == b[i] && a[i])
        i++;
    return least(i + 1, n);
}

static size_t compared_case(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]) && a[i])
        i++;
    return least(i + 1, n);
}

MEASURED(int, strcmp, (const char *a, const char *b), (a, b), size_t m = compared(a, b, SIZE_MAX), READ(a, m);
         READ(b, m))
MEASURED(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n), size_t m = compared(a, b, n),
         READ(a, m);
         READ(b, m))
MEASURED(int, strcasecmp, (const char *a, const char *b), (a, b), size_t m = compared_case(a, b, SIZE_MAX),
         READ(a, m);
         READ(b, m))
MEASURED(int, strncasecmp, (const char *a, const char *b, size_t n), (a, b, n),
         size_t m = compared_case(a, b, n), READ(a, m);
         READ(b, m))

/* ---- copies ---- */

#define COPIES(name)                                                                                         \
    MEASURED(char *, name, (char *restrict to, const char *restrict from), (to, from),                       \
             size_t n = size_of(from), READ(from, n);                                                        \
             WRITE(to, n))
/* Pads with zeros to n. */
#define COPIES_N(name)                                                                                       \
    MEASURED(char *, name, (char *restrict to, const char *restrict from, size_t n), (to, from, n),          \
             size_t m = size_within(from, n), READ(from, m);                                                 \
             WRITE(to, n))

COPIES(strcpy)
COPIES(stpcpy)
COPIES_N(strncpy)
COPIES_N(stpncpy)
RT_ALIAS(__stpcpy, stpcpy);
RT_ALIAS(__stpncpy, stpncpy);

MEASURED(char *, strcat, (char *restrict to, const char *restrict from), (to, from), size_t at = size_of(to);
         size_t n = size_of(from), READ(to, at); READ(from, n); WRITE(to + at - 1, n))
/* Always terminates: one byte more than it takes from a source that is longer. */
MEASURED(char *, strncat, (char *restrict to, const char *restrict from, size_t max), (to, from, max),
         size_t at = size_of(to);
         size_t n = REAL(strnlen)(from, max), READ(to, at); READ(from, least(n + 1, max));
         WRITE(to + at - 1, n + 1))

/* The block is ours to allocate, so that the line that called is the one that allocated. */
static char *duplicate(const char *s, size_t length, size_t read, uintptr_t pc)
{
    char *copy = rt_malloc(length + 1, pc);
    if (!copy)
        return NULL;
    RT_RECORD(t, READ(s, read); WRITE(copy, length + 1));
    REAL(memcpy)(copy, s, length);
    copy[length] = '\0';
    return copy;
}

RT_EXPORT char *strdup(const char *s)
{
    size_t n = REAL(strlen)(s);
    return duplicate(s, n, n + 1, RT_CALLER());
}

RT_EXPORT char *strndup(const char *s, size_t max)
{
    size_t n = REAL(strnlen)(s, max);
    return duplicate(s, n, least(n + 1, max), RT_CALLER());
}

RT_ALIAS(__strdup, strdup);
RT_ALIAS(__strndup, strndup);
