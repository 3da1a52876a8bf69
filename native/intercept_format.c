/* SPDX-License-Identifier: Apache-2.0
 *
 * printf and scanf: the strings that a format makes them read, the objects that it makes them write, and the text itself.
 *
 * The walk over a format knows the directives of ISO C and of glibc.  At one that it does not know, and at numbered
 * arguments ("%1$s"), it stops: what follows is not checked.
 */
#include "native/intercept_fd.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* Of the functions of these names the header knows those of C99, which have others in the library. */
#define scanf   c99_scanf
#define fscanf  c99_fscanf
#define sscanf  c99_sscanf
#define vscanf  c99_vscanf
#define vfscanf c99_vfscanf
#define vsscanf c99_vsscanf
#include <stdio.h>
#undef scanf
#undef fscanf
#undef sscanf
#undef vscanf
#undef vfscanf
#undef vsscanf
#define wscanf   c99_wscanf
#define fwscanf  c99_fwscanf
#define vwscanf  c99_vwscanf
#define vfwscanf c99_vfwscanf
#include <wchar.h>
#undef wscanf
#undef fwscanf
#undef vwscanf
#undef vfwscanf
#include <printf.h>

/* ---- walking a format ---- */

enum length { INT, CHAR, SHORT, LONG, LONG_LONG, LONG_DOUBLE, MAX, SIZE, DIFFERENCE };

static const char *read_length(const char *f, enum length *length)
{
    *length = INT;
    switch (*f) {
    case 'h':
        *length = f[1] == 'h' ? CHAR : SHORT;
        return f + (f[1] == 'h' ? 2 : 1);
    case 'l':
        *length = f[1] == 'l' ? LONG_LONG : LONG;
        return f + (f[1] == 'l' ? 2 : 1);
    case 'q':
        *length = LONG_LONG;
        return f + 1;
    case 'L':
        *length = LONG_DOUBLE;
        return f + 1;
    case 'j':
        *length = MAX;
        return f + 1;
    case 'z':
    case 'Z':
        *length = SIZE;
        return f + 1;
    case 't':
        *length = DIFFERENCE;
        return f + 1;
    default:
        return f;
    }
}

/* Bytes of an integer of this length. */
static size_t integer_size(enum length length)
{
    switch (length) {
    case CHAR:
        return sizeof(char);
    case SHORT:
        return sizeof(short);
    case INT:
        return sizeof(int);
    default:
        return sizeof(long); /* the others are as long on the machines that we know */
    }
}

/* glibc takes "ll", "q" and "L" for one. */
static bool is_long_double(enum length length) { return length == LONG_DOUBLE || length == LONG_LONG; }

/* A character or string after "h" or "hh" is a narrow one to glibc, after each other length a wide one. */
static bool is_narrow(enum length length) { return length == INT || length == SHORT || length == CHAR; }

static bool is_any(char c, const char *of)
{
    while (*of && *of != c)
        of++;
    return *of != 0;
}

static const char *skip(const char *f, const char *of)
{
    while (*f && is_any(*f, of))
        f++;
    return f;
}

static const char *read_number(const char *f, long *number)
{
    for (; *f >= '0' && *f <= '9'; f++)
        *number = *number < 1 << 24 ? *number * 10 + (*f - '0') : *number;
    return f;
}

/* What printf reads of a string. */
static void text_read(const char *s, long precision, uintptr_t pc)
{
    size_t n = 0, max = precision < 0 ? SIZE_MAX : (size_t)precision;
    if (!s)
        return;
    while (n < max && s[n])
        n++;
    rt_has_read(s, n < max ? n + 1 : max, pc);
}

/* Bytes of a wide string with its end. */
static size_t wide_size(const wchar_t *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return (n + 1) * sizeof *s;
}

/* A precision counts bytes of the result.  False: printf gives up, at a character that the locale has not, before it looks at the arguments that follow. */
static bool wide_read(const wchar_t *s, long precision, uintptr_t pc)
{
    size_t n = 0, bytes = 0, room = precision < 0 ? SIZE_MAX - 1 : (size_t)precision;
    if (!s)
        return true;
    while (room && s[n] && (bytes = rt_wide_bytes(s[n])) <= room) {
        room -= bytes;
        n++;
    }
    rt_has_read(s, (n + (room != 0)) * sizeof *s, pc);
    return bytes != SIZE_MAX;
}

/* Directives that the program has defined itself; which arguments they take is for its own functions to say. */
static uint64_t defined[256 / 64];
static bool has_modifiers;

static void define(unsigned directive)
{
    if (directive < 256)
        __atomic_fetch_or(&defined[directive / 64], 1ull << directive % 64,
                          __ATOMIC_RELAXED); /* relaxed: who uses one comes after who defined it */
}

static bool is_defined(char c)
{
    return __atomic_load_n(&defined[(unsigned char)c / 64], __ATOMIC_RELAXED) >> (unsigned char)c % 64 & 1;
}

CALLS(int, register_printf_specifier,
      (int directive, printf_function *print, printf_arginfo_size_function *takes), (directive, print, takes),
      r == 0, (void)pc;
      define((unsigned)directive))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
CALLS(int, register_printf_function, (int directive, printf_function *print, printf_arginfo_function *takes),
      (directive, print, takes), r == 0, (void)pc;
      define((unsigned)directive))
#pragma GCC diagnostic pop
CALLS(int, register_printf_modifier, (const wchar_t *name), (name), r != -1, (void)pc;
      __atomic_store_n(&has_modifiers, true, __ATOMIC_RELAXED))

/* Each argument that printf takes, with what it reads and writes. */
static void printf_arguments(const char *f, va_list given, uintptr_t pc)
{
    va_list ap;
    if (!f) /* glibc says EINVAL */
        return;
    va_copy(ap, given);
    rt_has_read_string(f, pc);
    while (*f && !__atomic_load_n(&has_modifiers, __ATOMIC_RELAXED)) { /* relaxed: as in define() */
        if (*f++ != '%')
            continue;
        long width = 0, precision = -1;
        enum length length;
        f = skip(f, "-+ #0'I");
        if (*f == '*')
            (void)va_arg(ap, int), f++;
        else
            f = read_number(f, &width);
        if (*f == '$')
            break;
        if (*f == '.') {
            precision = 0;
            if (*++f == '*')
                precision = va_arg(ap, int), f++;
            else
                f = read_number(f, &precision);
        }
        f = read_length(f, &length);
        char directive = *f ? *f++ : 0;
        if (is_defined(directive))
            break;
        if (is_any(directive, "diouxXbB") || (directive == 'c' && is_narrow(length))) {
            if (integer_size(length) > sizeof(int))
                (void)va_arg(ap, long);
            else
                (void)va_arg(ap, int);
        } else if (is_any(directive, "eEfFgGaA") && is_long_double(length)) {
            (void)va_arg(ap, long double);
        } else if (is_any(directive, "eEfFgGaA")) {
            (void)va_arg(ap, double);
        } else if (directive == 's' && is_narrow(length)) {
            text_read(va_arg(ap, const char *), precision, pc);
        } else if (directive == 'S' || directive == 's') {
            if (!wide_read(va_arg(ap, const wchar_t *), precision, pc))
                break;
        } else if (directive == 'n') {
            rt_has_written(va_arg(ap, void *), integer_size(length), pc);
        } else if (directive == 'p') {
            (void)va_arg(ap, void *);
        } else if (directive == 'c' || directive == 'C') {
            if (rt_wide_bytes((wchar_t)va_arg(ap, wint_t)) == SIZE_MAX)
                break;
        } else if (directive != '%' && directive != 'm') {
            break;
        }
    }
    va_end(ap);
}

/* What scanf writes for the first `got` directives that take an argument, and %n between them.  a_allocates: as before C99, "%as" allocates. */
static void scanf_arguments(const char *f, va_list given, int got, bool a_allocates, uintptr_t pc)
{
    const char *done = NULL; /* where the last directive ended that was converted */
    va_list ap;
    if (!f) /* glibc says EINVAL */
        return;
    va_copy(ap, given);
    rt_has_read_string(f, pc);
    while (*f && got >= 0) {
        bool next = f == done;
        if (*f++ != '%')
            continue;
        if (*f == '%') {
            f++;
            continue;
        }
        long width = 0;
        enum length length;
        bool suppressed = false, allocated;
        for (; *f && is_any(*f, "*'I"); f++)
            suppressed |= *f == '*';
        f = read_number(f, &width);
        if (*f == '$')
            break;
        allocated = *f == 'm' || (a_allocates && *f == 'a' && is_any(f[1], "sS["));
        f += allocated;
        f = read_length(f, &length);
        char directive = *f ? *f++ : 0;
        if (directive == '[') {
            f += *f == '^';
            f += *f == ']';
            while (*f && *f != ']')
                f++;
            f += *f == ']';
        }
        if (suppressed)
            continue;
        if (directive == 'n') {
            void *count = va_arg(ap, void *);
            if (got > 0 || next) /* else what stands before it may not have matched */
                rt_has_written(count, integer_size(length), pc);
            continue;
        }
        if (got-- == 0)
            break;
        done = f;
        if (allocated) {
            rt_has_written(va_arg(ap, void *), sizeof(void *), pc);
        } else if (is_any(directive, "dioupxX")) {
            rt_has_written(va_arg(ap, void *), directive == 'p' ? sizeof(void *) : integer_size(length), pc);
        } else if (is_any(directive, "eEfFgGaA")) {
            rt_has_written(va_arg(ap, void *),
                           is_long_double(length) ? sizeof(long double)
                           : is_narrow(length)    ? sizeof(float)
                                                  : sizeof(double),
                           pc);
        } else if (is_any(directive, "cC")) {
            size_t each = directive == 'c' && is_narrow(length) ? sizeof(char) : sizeof(wchar_t);
            rt_has_written(va_arg(ap, void *), (width ? (size_t)width : 1) * each, pc);
        } else if (is_any(directive, "s[") && is_narrow(length)) {
            rt_has_written_string(va_arg(ap, const char *), pc);
        } else if (is_any(directive, "sS[")) {
            const wchar_t *text = va_arg(ap, const wchar_t *);
            rt_has_written(text, wide_size(text), pc);
        } else {
            break;
        }
    }
    va_end(ap);
}

/* ---- to a stream or descriptor ---- */

static void to_stream(FILE *f, const char *format, va_list ap, uintptr_t pc)
{
    int saved = errno, fd = f ? fileno_unlocked(f) : -1;
    printf_arguments(format, ap, pc);
    if (fd >= 0)
        FD_BEFORE_STREAM(fd);
    errno = saved;
}

#define PASTE(...) __VA_ARGS__

/* The two forms of a function: with a va_list, and with the arguments themselves.  `after` finds the arguments, which the
 * real function has used up, in `ap` again. */
#define BOTH_FORMS(name, vname, params, args, before, after)                                                 \
    int vname(PASTE params, va_list ap);                                                                     \
    INTERCEPT(int, vname, (PASTE params, va_list given))                                                     \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        va_list ap;                                                                                          \
        va_copy(ap, given);                                                                                  \
        before;                                                                                              \
        int r = REAL(vname)(PASTE args, given);                                                              \
        after;                                                                                               \
        va_end(ap);                                                                                          \
        return r;                                                                                            \
    }                                                                                                        \
    int name(PASTE params, ...);                                                                             \
    RT_EXPORT int name(PASTE params, ...)                                                                    \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        va_list given, ap;                                                                                   \
        va_start(given, format);                                                                             \
        va_copy(ap, given);                                                                                  \
        before;                                                                                              \
        int r = REAL(vname)(PASTE args, given);                                                              \
        after;                                                                                               \
        va_end(ap);                                                                                          \
        va_end(given);                                                                                       \
        return r;                                                                                            \
    }

/* The result, when it came to be: as much of it as there was room for. */
static void text_written(char *to, size_t room, int r, uintptr_t pc)
{
    if (r >= 0 && room)
        rt_has_written(to, (size_t)r < room ? (size_t)r + 1 : room, pc);
}

#define ARGUMENTS printf_arguments(format, ap, pc)

BOTH_FORMS(printf, vprintf, (const char *restrict format), (format), to_stream(stdout, format, ap, pc),
           (void)pc)
BOTH_FORMS(fprintf, vfprintf, (FILE *restrict f, const char *restrict format), (f, format),
           to_stream(f, format, ap, pc), (void)pc)
BOTH_FORMS(dprintf, vdprintf, (int fd, const char *restrict format), (fd, format), FD_SENDS(fd, ARGUMENTS),
           (void)pc)
BOTH_FORMS(sprintf, vsprintf, (char *restrict to, const char *restrict format), (to, format), ARGUMENTS,
           text_written(to, SIZE_MAX, r, pc))
BOTH_FORMS(snprintf, vsnprintf, (char *restrict to, size_t n, const char *restrict format), (to, n, format),
           ARGUMENTS, text_written(to, n, r, pc))
BOTH_FORMS(__printf_chk, __vprintf_chk, (int flag, const char *format), (flag, format),
           to_stream(stdout, format, ap, pc), (void)pc)
BOTH_FORMS(__fprintf_chk, __vfprintf_chk, (FILE * f, int flag, const char *format), (f, flag, format),
           to_stream(f, format, ap, pc), (void)pc)
BOTH_FORMS(__dprintf_chk, __vdprintf_chk, (int fd, int flag, const char *format), (fd, flag, format),
           FD_SENDS(fd, ARGUMENTS), (void)pc)
BOTH_FORMS(__sprintf_chk, __vsprintf_chk, (char *to, int flag, size_t room, const char *format),
           (to, flag, room, format), ARGUMENTS, text_written(to, SIZE_MAX, r, pc))
BOTH_FORMS(__snprintf_chk, __vsnprintf_chk, (char *to, size_t n, int flag, size_t room, const char *format),
           (to, n, flag, room, format), ARGUMENTS, text_written(to, n, r, pc))
/* The block is libc's own malloc's: fresh, like one that the program's gave. */
static void text_made(char **to, int r, uintptr_t pc)
{
    if (r < 0)
        return;
    char *p = *to;
    RT_RECORD(t, rt_heap_alloc(t, p, (size_t)r + 1, pc); rt_write_range(t, p, (size_t)r + 1, pc);
              rt_write_range(t, to, sizeof *to, pc));
}
BOTH_FORMS(asprintf, vasprintf, (char **restrict to, const char *restrict format), (to, format), ARGUMENTS,
           text_made(to, r, pc))
BOTH_FORMS(__asprintf_chk, __vasprintf_chk, (char **to, int flag, const char *format), (to, flag, format),
           ARGUMENTS, text_made(to, r, pc))

/* Of wide text the order only. */
#define WIDE_TO_STREAM(f) to_stream(f, "", ap, pc)
BOTH_FORMS(wprintf, vwprintf, (const wchar_t *restrict format), (format), WIDE_TO_STREAM(stdout), (void)pc)
BOTH_FORMS(fwprintf, vfwprintf, (FILE *restrict f, const wchar_t *restrict format), (f, format),
           WIDE_TO_STREAM(f), (void)pc)
BOTH_FORMS(__wprintf_chk, __vwprintf_chk, (int flag, const wchar_t *format), (flag, format),
           WIDE_TO_STREAM(stdout), (void)pc)
BOTH_FORMS(__fwprintf_chk, __vfwprintf_chk, (FILE * f, int flag, const wchar_t *format), (f, flag, format),
           WIDE_TO_STREAM(f), (void)pc)

/* ---- scanf ---- */

static void from_stream(FILE *f, uintptr_t pc)
{
    int saved = errno, fd = f ? fileno_unlocked(f) : -1;
    if (fd >= 0)
        FD_AFTER(fd);
    errno = saved;
}

#define FROM_STREAM(f, a_allocates)                                                                          \
    from_stream(f, pc);                                                                                      \
    scanf_arguments(format, ap, r, a_allocates, pc)
#define FROM_STRING(a_allocates)                                                                             \
    rt_has_read_string(s, pc);                                                                               \
    scanf_arguments(format, ap, r, a_allocates, pc)

/* Under each of the names that a standard has given them.  The bare ones are those of programs of 1989, in which "%as" allocates. */
#define SCANS(prefix, a_allocates)                                                                           \
    BOTH_FORMS(prefix##scanf, prefix##vscanf, (const char *restrict format), (format), (void)pc,             \
               FROM_STREAM(stdin, a_allocates))                                                              \
    BOTH_FORMS(prefix##fscanf, prefix##vfscanf, (FILE *restrict f, const char *restrict format),             \
               (f, format), (void)pc, FROM_STREAM(f, a_allocates))                                           \
    BOTH_FORMS(prefix##sscanf, prefix##vsscanf, (const char *restrict s, const char *restrict format),       \
               (s, format), (void)pc, FROM_STRING(a_allocates))

SCANS(, true)
SCANS(__isoc99_, false)
SCANS(__isoc23_, false)

#define WIDE_SCANS(prefix)                                                                                   \
    BOTH_FORMS(prefix##wscanf, prefix##vwscanf, (const wchar_t *restrict format), (format), (void)pc,        \
               from_stream(stdin, pc))                                                                       \
    BOTH_FORMS(prefix##fwscanf, prefix##vfwscanf, (FILE *restrict f, const wchar_t *restrict format),        \
               (f, format), (void)pc, from_stream(f, pc))

WIDE_SCANS()
WIDE_SCANS(__isoc99_)
