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

#define READ(p, n)  rt_reads((uintptr_t)(p), (n), pc)
#define WRITE(p, n) rt_writes((uintptr_t)(p), (n), pc)

/* Of n bytes at each of two places: records, then calls, if that many can be there and libc is not going to end the program (`room`, with _FORTIFY_SOURCE). */
static inline bool both_there(uintptr_t p, uintptr_t q, size_t n, size_t room)
{
    return n <= room && (RT_LIKELY(n < RT_RANGE_ASKED) || (rt_range_reaches(p, n) && rt_range_reaches(q, n)));
}
#define BOTH_THERE(p, q, n, room) both_there((uintptr_t)(p), (uintptr_t)(q), (n), (room))
#define IN_TIME(ret, name, params, args, p, q, n, room, record)                                              \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (RT_UNLIKELY(!BOTH_THERE(p, q, n, room))) { /* it may not come back */                            \
            ret r = REAL(name) args;                                                                         \
            if (BOTH_THERE(p, q, n, room)) {                                                                 \
                record;                                                                                      \
            }                                                                                                \
            return r;                                                                                        \
        }                                                                                                    \
        record;                                                                                              \
        return REAL(name) args;                                                                              \
    }
#define IN_TIME_VOID(name, params, args, p, q, n, room, record)                                              \
    INTERCEPT(void, name, params)                                                                            \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        bool late = !BOTH_THERE(p, q, n, room);                                                              \
        if (RT_UNLIKELY(late))                                                                               \
            REAL(name) args;                                                                                 \
        if (RT_LIKELY(!late) || BOTH_THERE(p, q, n, room)) {                                                 \
            record;                                                                                          \
        }                                                                                                    \
        if (RT_LIKELY(!late))                                                                                \
            REAL(name) args;                                                                                 \
    }

/* Calls, then records what the result r tells. */
#define AFTER(ret, name, params, args, record)                                                               \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ret r = REAL(name) args;                                                                             \
        record;                                                                                              \
        return r;                                                                                            \
    }

/* `measure` looks at the program's memory, then records, then calls. */
#define MEASURED(ret, name, params, args, measure, record)                                                   \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        measure;                                                                                             \
        record;                                                                                              \
        return REAL(name) args;                                                                              \
    }

/* What a fuzzer wants to see of comparisons, if the program has one: given the result r, too. */
#define HOOK(name, ...) void __sanitizer_weak_hook_##name(void *pc, __VA_ARGS__) __attribute__((weak))
HOOK(memcmp, const void *a, const void *b, size_t n, int r);
HOOK(strcmp, const char *a, const char *b, int r);
HOOK(strncmp, const char *a, const char *b, size_t n, int r);
HOOK(strcasecmp, const char *a, const char *b, int r);
HOOK(strncasecmp, const char *a, const char *b, size_t n, int r);
HOOK(strstr, const char *s, const char *what, char *r);
HOOK(strcasestr, const char *s, const char *what, char *r);
HOOK(memmem, const void *p, size_t n, const void *q, size_t m, void *r);
#undef HOOK

#define HOOKED(name, ...)                                                                                    \
    do {                                                                                                     \
        if (RT_UNLIKELY(__sanitizer_weak_hook_##name != NULL))                                               \
            __sanitizer_weak_hook_##name((void *)pc, __VA_ARGS__, r);                                        \
    } while (0)

/* From p to the match r, inclusive. */
static size_t up_to(const void *p, const void *r) { return (size_t)((const char *)r - (const char *)p) + 1; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* ---- memory ---- */

IN_TIME(void *, memcpy, (void *restrict to, const void *restrict from, size_t n), (to, from, n), to, from, n, SIZE_MAX,
        READ(from, n); WRITE(to, n))
IN_TIME(void *, mempcpy, (void *restrict to, const void *restrict from, size_t n), (to, from, n), to, from, n, SIZE_MAX,
        READ(from, n); WRITE(to, n))
IN_TIME(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), to, from, n, SIZE_MAX, READ(from, n); WRITE(to, n))
IN_TIME(void *, memset, (void *p, int byte, size_t n), (p, byte, n), p, p, n, SIZE_MAX, WRITE(p, n))
IN_TIME_VOID(bzero, (void *p, size_t n), (p, n), p, p, n, SIZE_MAX, WRITE(p, n))
IN_TIME_VOID(explicit_bzero, (void *p, size_t n), (p, n), p, p, n, SIZE_MAX, WRITE(p, n))
IN_TIME_VOID(bcopy, (const void *from, void *to, size_t n), (from, to, n), to, from, n, SIZE_MAX, READ(from, n); WRITE(to, n))
#define COMPARES(name)                                                                                       \
    INTERCEPT(int, name, (const void *a, const void *b, size_t n))                                           \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int r = REAL(name)(a, b, n);                                                                         \
        READ(a, n);                                                                                          \
        READ(b, n);                                                                                          \
        HOOKED(memcmp, a, b, n);                                                                             \
        return r;                                                                                            \
    }
COMPARES(memcmp)
COMPARES(bcmp)

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
                    : n);
      HOOKED(memmem, p, n, q, m))
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
        READ(s, n);                                                                                          \
        extra;                                                                                               \
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
/* strpbrk stops where strcspn does; without a character to look for it does not begin. */
MEASURED(char *, strpbrk, (const char *s, const char *set), (s, set), size_t m = size_of(set);
         size_t n = m > 1 ? REAL(strcspn)(s, set) + 1 : 0, READ(set, m); READ(s, n))

#define SUBSTRING(name)                                                                                      \
    INTERCEPT(char *, name, (const char *s, const char *what))                                               \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *r = REAL(name)(s, what);                                                                       \
        size_t m = size_of(what), n = m == 1 ? 0 : r ? up_to(s, r) - 1 + (m - 1) : size_of(s);               \
        READ(what, m);                                                                                       \
        READ(s, n);                                                                                          \
        HOOKED(name, s, what);                                                                               \
        return r;                                                                                            \
    }

SUBSTRING(strstr)
SUBSTRING(strcasestr)

void rt_has_read(const void *p, size_t n, uintptr_t pc)
{
    if (p)
        READ(p, n);
}

void rt_has_written(const void *p, size_t n, uintptr_t pc)
{
    if (p)
        WRITE(p, n);
}

void rt_has_read_string(const char *s, uintptr_t pc)
{
    if (s)
        rt_has_read(s, size_of(s), pc);
}

void rt_has_written_string(const char *s, uintptr_t pc)
{
    if (s)
        rt_has_written(s, size_of(s), pc);
}

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

/* Of equal strings the length is found faster. */
AFTER(int, strcmp, (const char *a, const char *b), (a, b), size_t m = r ? compared(a, b, SIZE_MAX) : size_of(a); READ(a, m);
      READ(b, m); HOOKED(strcmp, a, b))
AFTER(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n), size_t m = r ? compared(a, b, n) : size_within(a, n);
      READ(a, m);
      READ(b, m); HOOKED(strncmp, a, b, n))
AFTER(int, strcasecmp, (const char *a, const char *b), (a, b), size_t m = compared_case(a, b, SIZE_MAX); READ(a, m); READ(b, m);
      HOOKED(strcasecmp, a, b))
AFTER(int, strncasecmp, (const char *a, const char *b, size_t n), (a, b, n), size_t m = compared_case(a, b, n); READ(a, m); READ(b, m);
      HOOKED(strncasecmp, a, b, n))

/* ---- copies ---- */

#define COPIES(name)                                                                                         \
    MEASURED(char *, name, (char *restrict to, const char *restrict from), (to, from),                       \
             size_t n = size_of(from), READ(from, n);                                                        \
             WRITE(to, n))
/* Pads with zeros to n. */
#define COPIES_N(name)                                                                                       \
    IN_TIME(char *, name, (char *restrict to, const char *restrict from, size_t n), (to, from, n), to, to, n, \
            SIZE_MAX, READ(from, size_within(from, n)); WRITE(to, n))

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
    READ(s, read);
    WRITE(copy, length + 1);
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

/* ---- as compiled with _FORTIFY_SOURCE: the real function checks `room` and may end the program ---- */

#define CHECKED(name, record)                                                                                \
    void *name(void *to, const void *from, size_t n, size_t room);                                           \
    IN_TIME(void *, name, (void *to, const void *from, size_t n, size_t room), (to, from, n, room), to, from, n, room, record)

CHECKED(__memcpy_chk, READ(from, n); WRITE(to, n))
CHECKED(__mempcpy_chk, READ(from, n); WRITE(to, n))
CHECKED(__memmove_chk, READ(from, n); WRITE(to, n))
void *__memset_chk(void *p, int byte, size_t n, size_t room);
IN_TIME(void *, __memset_chk, (void *p, int byte, size_t n, size_t room), (p, byte, n, room), p, p, n, room, WRITE(p, n))
void __explicit_bzero_chk(void *p, size_t n, size_t room);
IN_TIME_VOID(__explicit_bzero_chk, (void *p, size_t n, size_t room), (p, n, room), p, p, n, room, WRITE(p, n))

#define COPIES_CHECKED(name)                                                                                 \
    char *name(char *to, const char *from, size_t room);                                                     \
    MEASURED(char *, name, (char *to, const char *from, size_t room), (to, from, room),                      \
             size_t n = size_of(from), if (n <= room) { READ(from, n); WRITE(to, n); })
#define COPIES_N_CHECKED(name)                                                                               \
    char *name(char *to, const char *from, size_t n, size_t room);                                           \
    IN_TIME(char *, name, (char *to, const char *from, size_t n, size_t room), (to, from, n, room), to, to, n, room, \
            READ(from, size_within(from, n)); WRITE(to, n))

COPIES_CHECKED(__strcpy_chk)
COPIES_CHECKED(__stpcpy_chk)
COPIES_N_CHECKED(__strncpy_chk)
COPIES_N_CHECKED(__stpncpy_chk)

char *__strcat_chk(char *to, const char *from, size_t room);
MEASURED(char *, __strcat_chk, (char *to, const char *from, size_t room), (to, from, room), size_t at = size_of(to);
         size_t n = size_of(from), READ(to, at); READ(from, n); if (at - 1 + n <= room) WRITE(to + at - 1, n))
char *__strncat_chk(char *to, const char *from, size_t max, size_t room);
MEASURED(char *, __strncat_chk, (char *to, const char *from, size_t max, size_t room), (to, from, max, room),
         size_t at = size_of(to);
         size_t n = REAL(strnlen)(from, max), READ(to, at); READ(from, least(n + 1, max));
         if (at + n <= room) WRITE(to + at - 1, n + 1))

/* ---- the rest of <string.h> ---- */

/* A token was taken that ends at `end`, from what begins at `from`: all of that was read, and where a delimiter was, a zero was written. */
static void token_taken(const char *from, const char *end, bool written, uintptr_t pc)
{
    READ(from, up_to(from, end));
    if (written)
        WRITE(end, 1);
}

static char *next_token(char *s, const char *set, char **at, char *(*real)(char *, const char *, char **), uintptr_t pc)
{
    const char *from = s ? s : *at;
    char *r = real(s, set, at);
    rt_has_read_string(set, pc);
    const char *end = r ? r + REAL(strlen)(r) : from + REAL(strlen)(from);
    token_taken(from, end, r && *at != end, pc); /* behind a delimiter it goes on, else it ends here */
    WHOLE(at);
    return r;
}

INTERCEPT(char *, strtok_r, (char *restrict s, const char *restrict set, char **restrict at))
{
    return next_token(s, set, at, REAL(strtok_r), RT_CALLER());
}

/* Where it goes on is one variable for all threads, as in libc: who uses it without order races. */
INTERCEPT(char *, strtok, (char *restrict s, const char *restrict set))
{
    static char *strtok_goes_on;
    return next_token(s, set, &strtok_goes_on, REAL(strtok_r), RT_CALLER());
}

INTERCEPT(char *, strsep, (char **restrict at, const char *restrict set))
{
    uintptr_t pc = RT_CALLER();
    char *r = REAL(strsep)(at, set);
    if (!r) {
        READ(at, sizeof *at);
        return r;
    }
    rt_has_read_string(set, pc);
    token_taken(r, *at ? *at - 1 : r + REAL(strlen)(r), *at, pc);
    WHOLE(at);
    return r;
}

/* Of different strings as strcmp() at least: where the language says no more, libc reads no more. */
static void collated(const char *a, const char *b, int r, uintptr_t pc)
{
    size_t n = r ? compared(a, b, SIZE_MAX) : 0;
    READ(a, r ? n : size_of(a));
    READ(b, r ? n : size_of(b));
}

CALLS(int, strcoll, (const char *a, const char *b), (a, b), true, collated(a, b, r, pc))
CALLS(size_t, strxfrm, (char *restrict to, const char *restrict s, size_t n), (to, s, n), true, S(s);
      W(to, r < n ? r + 1 : 0))
CALLS(size_t, strxfrm_l, (char *restrict to, const char *restrict s, size_t n, locale_t l), (to, s, n, l), true, S(s);
      W(to, r < n ? r + 1 : 0))
RT_ALIAS(__strxfrm_l, strxfrm_l);
CALLS(int, strverscmp, (const char *a, const char *b), (a, b), true, collated(a, b, r, pc))
CALLS(char *, strerror_r, (int number, char *p, size_t n), (number, p, n), r == p, T(r))
int __xpg_strerror_r(int number, char *p, size_t n);
CALLS(int, __xpg_strerror_r, (int number, char *p, size_t n), (number, p, n), n > 0, T(p))
CALLS(void *, memfrob, (void *p, size_t n), (p, n), true, W(p, n))
