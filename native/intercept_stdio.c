/* SPDX-License-Identifier: Apache-2.0
 *
 * Streams.  The buffers that the program gives are ranges; what the stream's own buffer does is libc's.  A stream over a
 * pipe or socket orders as its descriptor does: when the buffer is really written we do not see, so each call that may
 * write it counts as a write.
 *
 * A stream's own lock orders nothing here, unless the program takes it by flockfile: else every printf would hide races.
 */
#include "native/intercept_fd.h"

#include <dirent.h>
#include <stdio.h>
#include <wchar.h>

#undef fread_unlocked
#undef fwrite_unlocked
#undef getc_unlocked
#undef putc_unlocked

static int number(FILE *f) { return fileno_unlocked(f); }

/* Streams in memory have no descriptor; fileno() would say so by errno. */
static void stream_before(FILE *f, uintptr_t pc)
{
    int saved = errno, fd = f ? number(f) : -1;
    errno = saved;
    if (fd >= 0)
        FD_BEFORE_STREAM(fd);
}

static void stream_after(FILE *f, uintptr_t pc)
{
    int saved = errno, fd = f ? number(f) : -1;
    errno = saved;
    if (fd >= 0)
        FD_AFTER(fd);
}

#define IN(ret, name, params, args, good, record)                                                            \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ret r = REAL(name) args;                                                                             \
        stream_after(f, pc);                                                                                 \
        if (good)                                                                                            \
            RT_RECORD(t, record);                                                                            \
        return r;                                                                                            \
    }

#define OUT(ret, name, params, args, measure, record)                                                        \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        measure;                                                                                             \
        RT_RECORD(t, record);                                                                                \
        stream_before(f, pc);                                                                                \
        return REAL(name) args;                                                                              \
    }

#define FREAD_PARAMS  (void *restrict p, size_t size, size_t n, FILE *restrict f)
#define FWRITE_PARAMS (const void *restrict p, size_t size, size_t n, FILE *restrict f)

IN(size_t, fread, FREAD_PARAMS, (p, size, n, f), r > 0, rt_write_range(t, p, r *size, pc))
IN(size_t, fread_unlocked, FREAD_PARAMS, (p, size, n, f), r > 0, rt_write_range(t, p, r *size, pc))
#define FREAD_CHECKED (void *restrict p, size_t room, size_t size, size_t n, FILE *restrict f)
size_t __fread_chk FREAD_CHECKED;
IN(size_t, __fread_chk, FREAD_CHECKED, (p, room, size, n, f), r > 0, rt_write_range(t, p, r *size, pc))
size_t __fread_unlocked_chk FREAD_CHECKED;
IN(size_t, __fread_unlocked_chk, FREAD_CHECKED, (p, room, size, n, f), r > 0, rt_write_range(t, p, r *size, pc))
OUT(size_t, fwrite, FWRITE_PARAMS, (p, size, n, f), (void)0, rt_read_range(t, p, size *n, pc))
OUT(size_t, fwrite_unlocked, FWRITE_PARAMS, (p, size, n, f), (void)0, rt_read_range(t, p, size *n, pc))
OUT(int, fputs, (const char *restrict s, FILE *restrict f), (s, f), size_t n = rt_string_length(s) + 1,
    rt_read_range(t, s, n, pc))
OUT(int, fputs_unlocked, (const char *restrict s, FILE *restrict f), (s, f),
    size_t n = rt_string_length(s) + 1, rt_read_range(t, s, n, pc))
OUT(int, puts, (const char *s), (s), size_t n = rt_string_length(s) + 1;
    FILE *f = stdout, rt_read_range(t, s, n, pc))

#define GETS(name, params, args)                                                                             \
    INTERCEPT(char *, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        char *r = REAL(name) args;                                                                           \
        stream_after(f, pc);                                                                                 \
        if (r) {                                                                                             \
            size_t length = rt_string_length(r) + 1;                                                         \
            RT_RECORD(t, rt_write_range(t, r, length, pc));                                                  \
        }                                                                                                    \
        return r;                                                                                            \
    }

GETS(fgets, (char *restrict s, int n, FILE *restrict f), (s, n, f))
GETS(fgets_unlocked, (char *restrict s, int n, FILE *restrict f), (s, n, f))
char *__fgets_chk(char *s, size_t room, int n, FILE *f);
GETS(__fgets_chk, (char *s, size_t room, int n, FILE *f), (s, room, n, f))
char *__fgets_unlocked_chk(char *s, size_t room, int n, FILE *f);
GETS(__fgets_unlocked_chk, (char *s, size_t room, int n, FILE *f), (s, room, n, f))

/* The line may be in a new block, which libc's own realloc made: fresh, like one that malloc gave. */
static ssize_t has_line(char **line, size_t *n, const char *before, FILE *f, ssize_t r, uintptr_t pc)
{
    stream_after(f, pc);
    if (!line || !n) /* an error, and nothing was read */
        return r;
    const char *p = *line;
    size_t room = *n;
    if (p && p != before)
        RT_RECORD(t, rt_heap_alloc(t, *line, room, pc));
    RT_RECORD(t, rt_write_range(t, line, sizeof *line, pc); rt_write_range(t, n, sizeof *n, pc);
              if (r > 0) rt_write_range(t, p, (size_t)r + 1, pc));
    return r;
}

#define LINES(name, params, args)                                                                            \
    INTERCEPT(ssize_t, name, params)                                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        const char *before = line ? *line : NULL;                                                            \
        return has_line(line, n, before, f, REAL(name) args, pc);                                            \
    }

LINES(getline, (char **restrict line, size_t *restrict n, FILE *restrict f), (line, n, f))
LINES(getdelim, (char **restrict line, size_t *restrict n, int end, FILE *restrict f), (line, n, end, f))
LINES(__getdelim, (char **restrict line, size_t *restrict n, int end, FILE *restrict f), (line, n, end, f))

/* ---- single characters, and wide ones: order only ---- */

#define GETS_SOME(ret, name, params, args, f) CALLS(ret, name, params, args, true, stream_after(f, pc))
#define PUTS_SOME(ret, name, params, args, f)                                                                \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        stream_before(f, pc);                                                                                \
        return REAL(name) args;                                                                              \
    }

GETS_SOME(int, fgetc, (FILE * f), (f), f)
GETS_SOME(int, fgetc_unlocked, (FILE * f), (f), f)
GETS_SOME(int, getc, (FILE * f), (f), f)
GETS_SOME(int, getc_unlocked, (FILE * f), (f), f)
GETS_SOME(int, getchar, (void), (), stdin)
GETS_SOME(int, getchar_unlocked, (void), (), stdin)
GETS_SOME(int, getw, (FILE * f), (f), f)
GETS_SOME(wint_t, fgetwc, (FILE * f), (f), f)
GETS_SOME(wint_t, fgetwc_unlocked, (FILE * f), (f), f)
GETS_SOME(wint_t, getwc, (FILE * f), (f), f)
GETS_SOME(wint_t, getwc_unlocked, (FILE * f), (f), f)
GETS_SOME(wint_t, getwchar, (void), (), stdin)
GETS_SOME(wint_t, getwchar_unlocked, (void), (), stdin)
GETS_SOME(wchar_t *, fgetws, (wchar_t *restrict s, int n, FILE *restrict f), (s, n, f), f)
GETS_SOME(wchar_t *, fgetws_unlocked, (wchar_t *restrict s, int n, FILE *restrict f), (s, n, f), f)
#define FGETWS_CHECKED (wchar_t * s, size_t room, int n, FILE *f)
wchar_t *__fgetws_chk FGETWS_CHECKED;
wchar_t *__fgetws_unlocked_chk FGETWS_CHECKED;
GETS_SOME(wchar_t *, __fgetws_chk, FGETWS_CHECKED, (s, room, n, f), f)
GETS_SOME(wchar_t *, __fgetws_unlocked_chk, FGETWS_CHECKED, (s, room, n, f), f)
PUTS_SOME(int, fputc, (int c, FILE *f), (c, f), f)
PUTS_SOME(int, fputc_unlocked, (int c, FILE *f), (c, f), f)
PUTS_SOME(int, putc, (int c, FILE *f), (c, f), f)
PUTS_SOME(int, putc_unlocked, (int c, FILE *f), (c, f), f)
PUTS_SOME(int, putchar, (int c), (c), stdout)
PUTS_SOME(int, putchar_unlocked, (int c), (c), stdout)
PUTS_SOME(int, putw, (int c, FILE *f), (c, f), f)
PUTS_SOME(wint_t, fputwc, (wchar_t c, FILE *f), (c, f), f)
PUTS_SOME(wint_t, fputwc_unlocked, (wchar_t c, FILE *f), (c, f), f)
PUTS_SOME(wint_t, putwc, (wchar_t c, FILE *f), (c, f), f)
PUTS_SOME(wint_t, putwc_unlocked, (wchar_t c, FILE *f), (c, f), f)
PUTS_SOME(wint_t, putwchar, (wchar_t c), (c), stdout)
PUTS_SOME(wint_t, putwchar_unlocked, (wchar_t c), (c), stdout)
PUTS_SOME(int, fputws, (const wchar_t *restrict s, FILE *restrict f), (s, f), f)
PUTS_SOME(int, fputws_unlocked, (const wchar_t *restrict s, FILE *restrict f), (s, f), f)
/* What getc_unlocked and its kin call at the end of the buffer. */
int __uflow(FILE *f);
int __underflow(FILE *f);
int __overflow(FILE *f, int c);
wint_t __wuflow(FILE *f);
wint_t __wunderflow(FILE *f);
wint_t __woverflow(FILE *f, wint_t c);
GETS_SOME(int, __uflow, (FILE * f), (f), f)
GETS_SOME(int, __underflow, (FILE * f), (f), f)
GETS_SOME(wint_t, __wuflow, (FILE * f), (f), f)
GETS_SOME(wint_t, __wunderflow, (FILE * f), (f), f)
PUTS_SOME(int, __overflow, (FILE * f, int c), (f, c), f)
PUTS_SOME(wint_t, __woverflow, (FILE * f, wint_t c), (f, c), f)

/* What tells of an error on stderr. */
INTERCEPT(void, perror, (const char *s))
{
    uintptr_t pc = RT_CALLER();
    stream_before(stderr, pc);
    REAL(perror)(s);
}

INTERCEPT(void, psignal, (int sig, const char *s))
{
    uintptr_t pc = RT_CALLER();
    stream_before(stderr, pc);
    REAL(psignal)(sig, s);
}

/* ---- what was held back is written ---- */

static void all_before(uintptr_t pc)
{
    RT_RECORD(t, rt_fd_release_streams(t, pc));
}

#define FLUSHES(name)                                                                                        \
    INTERCEPT(int, name, (FILE * f))                                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        if (f)                                                                                               \
            stream_before(f, pc);                                                                            \
        else                                                                                                 \
            all_before(pc);                                                                                  \
        return REAL(name)(f);                                                                                \
    }

FLUSHES(fflush)
FLUSHES(fflush_unlocked)

INTERCEPT(int, fcloseall, (void))
{
    all_before(RT_CALLER());
    return REAL(fcloseall)();
}

PUTS_SOME(int, fseek, (FILE * f, long at, int whence), (f, at, whence), f)
PUTS_SOME(int, fseeko, (FILE * f, off_t at, int whence), (f, at, whence), f)
PUTS_SOME(int, fseeko64, (FILE * f, off64_t at, int whence), (f, at, whence), f)
PUTS_SOME(int, fsetpos, (FILE * f, const fpos_t *at), (f, at), f)
PUTS_SOME(int, fsetpos64, (FILE * f, const fpos64_t *at), (f, at), f)

INTERCEPT(void, rewind, (FILE * f))
{
    uintptr_t pc = RT_CALLER();
    stream_before(f, pc);
    REAL(rewind)(f);
}

/* ---- opened and closed ---- */

#define OPENS(name, params, args)                                                                            \
    INTERCEPT(FILE *, name, params)                                                                          \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        size_t n = file ? rt_string_length(file) + 1 : 0, m = rt_string_length(mode) + 1;                    \
        RT_RECORD(t, rt_read_range(t, file, n, pc); rt_read_range(t, mode, m, pc));                          \
        FILE *f = REAL(name) args;                                                                           \
        if (f)                                                                                               \
            FD_OPENED(number(f));                                                                            \
        return f;                                                                                            \
    }

OPENS(fopen, (const char *restrict file, const char *restrict mode), (file, mode))
OPENS(fopen64, (const char *restrict file, const char *restrict mode), (file, mode))
OPENS(popen, (const char *file, const char *mode), (file, mode))

CALLS(FILE *, fdopen, (int fd, const char *mode), (fd, mode), true, FD_USED(fd); S(mode))
CALLS(FILE *, tmpfile, (void), (), r != NULL, FD_OPENED(number(r)))
CALLS(FILE *, tmpfile64, (void), (), r != NULL, FD_OPENED(number(r)))
/* Where the text is, and how long, stands there after each flush: they are the stream's until it is closed. */
CALLS(FILE *, open_memstream, (char **to, size_t *n), (to, n), r != NULL, WHOLE(to); WHOLE(n))
CALLS(FILE *, open_wmemstream, (wchar_t * *to, size_t *n), (to, n), r != NULL, WHOLE(to); WHOLE(n))

/* Before the number is somebody else's. */
static void closing(int fd, uintptr_t pc)
{
    if (fd < 0)
        return;
    rt_fd_number_ends(fd, pc);
    RT_ALWAYS(rt_fd_forget(fd, fd));
}

#define REOPENS(name)                                                                                        \
    INTERCEPT(FILE *, name, (const char *restrict file, const char *restrict mode, FILE *restrict f))        \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int saved = errno;                                                                                   \
        stream_before(f, pc);                                                                                \
        closing(number(f), pc); /* the new stream has the same, as a rule */                                 \
        errno = saved;                                                                                       \
        rt_has_read_string(file, pc);                                                                        \
        rt_has_read_string(mode, pc);                                                                        \
        FILE *r = REAL(name)(file, mode, f);                                                                 \
        if (r)                                                                                               \
            FD_OPENED(number(r));                                                                            \
        return r;                                                                                            \
    }

REOPENS(freopen)
REOPENS(freopen64)

#define CLOSES(name)                                                                                         \
    INTERCEPT(int, name, (FILE * f))                                                                         \
    {                                                                                                        \
        int saved = errno;                                                                                   \
        uintptr_t pc = RT_CALLER();                                                                          \
        stream_before(f, pc);                                                                                \
        closing(number(f), pc);                                                                              \
        errno = saved;                                                                                       \
        return REAL(name)(f);                                                                                \
    }

CLOSES(fclose)
CLOSES(pclose)

INTERCEPT(int, closedir, (DIR * d))
{
    DIR *volatile given = d; /* the header says that it is never NULL, and libc answers when it is */
    int saved = errno;
    if (given)
        closing(dirfd(d), RT_CALLER());
    errno = saved;
    return REAL(closedir)(d);
}

/* ---- the lock of a stream, taken by the program ---- */

INTERCEPT(void, flockfile, (FILE * f))
{
    uintptr_t pc = RT_CALLER();
    REAL(flockfile)(f);
    RT_RECORD(t, rt_mutex_acquired(t, (uintptr_t)f, RT_MUTEX, pc));
}

INTERCEPT(int, ftrylockfile, (FILE * f))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(ftrylockfile)(f);
    if (r == 0)
        RT_RECORD(t, rt_mutex_acquired(t, (uintptr_t)f, RT_MUTEX, pc));
    return r;
}

INTERCEPT(void, funlockfile, (FILE * f))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_mutex_releasing(t, (uintptr_t)f, RT_MUTEX, pc));
    REAL(funlockfile)(f);
}

/* ---- the stream's buffer, given by the program ---- */

INTERCEPT(int, setvbuf, (FILE *restrict f, char *restrict p, int mode, size_t n))
{
    uintptr_t pc = RT_CALLER();
    if (p && mode != _IONBF)
        RT_RECORD(t, rt_write_range(t, p, n, pc));
    stream_before(f, pc);
    return REAL(setvbuf)(f, p, mode, n);
}

INTERCEPT(void, setbuf, (FILE *restrict f, char *restrict p))
{
    uintptr_t pc = RT_CALLER();
    if (p)
        RT_RECORD(t, rt_write_range(t, p, BUFSIZ, pc));
    stream_before(f, pc);
    REAL(setbuf)(f, p);
}

INTERCEPT(void, setbuffer, (FILE *restrict f, char *restrict p, size_t n))
{
    uintptr_t pc = RT_CALLER();
    if (p)
        RT_RECORD(t, rt_write_range(t, p, n, pc));
    stream_before(f, pc);
    REAL(setbuffer)(f, p, n);
}
