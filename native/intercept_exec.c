/* SPDX-License-Identifier: Apache-2.0
 *
 * exec: the recording of this program ends before another takes its place, and goes on when it cannot be started.
 * libc's forms call one another past any interceptor, so each has one.
 */
#include "native/intercept_libc.h"

#include <stdarg.h>
#include <unistd.h>

#include "native/record.h"

/* True: after_exec() follows. */
static bool before_exec(void)
{
    if (!rt.recording || rt_is_shared_child() || !rt_enter())
        return false;
    rt_record_exec_before();
    return true;
}

static int after_exec(bool recorded, int r)
{
    if (recorded) {
        rt_record_exec_failed();
        rt_leave();
    }
    return r;
}

#define EXEC(name, params, args)                                                                             \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        bool recorded = before_exec();                                                                       \
        return after_exec(recorded, REAL(name) args);                                                        \
    }

EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp))
EXEC(execv, (const char *path, char *const argv[]), (path, argv))
EXEC(execvp, (const char *file, char *const argv[]), (file, argv))
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp))
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp))

/* The words of execl and its kin, as the array that the v forms take. */
#define WORDS(last, words, n)                                                                                \
    va_list ap;                                                                                              \
    size_t n = 1;                                                                                            \
    va_start(ap, last);                                                                                      \
    while (va_arg(ap, char *))                                                                               \
        n++;                                                                                                 \
    va_end(ap);                                                                                              \
    char *words[n + 1];                                                                                      \
    words[0] = (char *)(uintptr_t)(last);                                                                    \
    va_start(ap, last);                                                                                      \
    for (size_t i = 1; i <= n; i++)                                                                          \
        words[i] = va_arg(ap, char *)

RT_EXPORT int execl(const char *path, const char *first, ...)
{
    WORDS(first, words, n);
    va_end(ap);
    return execv(path, words);
}

RT_EXPORT int execlp(const char *file, const char *first, ...)
{
    WORDS(first, words, n);
    va_end(ap);
    return execvp(file, words);
}

RT_EXPORT int execle(const char *path, const char *first, ...)
{
    WORDS(first, words, n);
    char **envp = va_arg(ap, char **);
    va_end(ap);
    return execve(path, words, envp);
}
