/* SPDX-License-Identifier: Apache-2.0
 *
 * exec: the recording of this program ends before another takes its place, and goes on when it cannot be started.
 * libc's forms call one another past any interceptor, so each has one.
 *
 * What they are given counts as read before the call, also where it fails.
 */
#include "native/intercept_libc.h"

#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "native/record.h"
#include "platform/platform.h"

static void text_goes(const char *s, uintptr_t pc)
{
    if (s && rt_text_is_there(s))
        S(s);
}

void rt_has_read_words(char *const words[], uintptr_t pc)
{
    for (; words && gl_os_is_readable((uintptr_t)words, sizeof *words); words++) {
        R(words, sizeof *words);
        if (!*words)
            return;
        text_goes(*words, pc);
    }
}

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

#define NO_ENVIRONMENT NULL /* libc takes the program's own */

#define EXEC(name, params, args, path, envp)                                                                 \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        text_goes(path, pc);                                                                                 \
        rt_has_read_words(argv, pc);                                                                         \
        rt_has_read_words(envp, pc);                                                                         \
        bool recorded = before_exec();                                                                       \
        return after_exec(recorded, REAL(name) args);                                                        \
    }

EXEC(execve, (const char *path, char *const argv[], char *const envp[]), (path, argv, envp), path, envp)
EXEC(execv, (const char *path, char *const argv[]), (path, argv), path, NO_ENVIRONMENT)
EXEC(execvp, (const char *file, char *const argv[]), (file, argv), file, NO_ENVIRONMENT)
EXEC(execvpe, (const char *file, char *const argv[], char *const envp[]), (file, argv, envp), file, envp)
EXEC(fexecve, (int fd, char *const argv[], char *const envp[]), (fd, argv, envp), NULL, envp)

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

/* pc: of the exported function; envp: NULL, if libc takes the program's own. */
static void words_go(const char *path, char *const words[], char *const envp[], uintptr_t pc)
{
    text_goes(path, pc);
    for (; *words; words++) /* the array is ours */
        text_goes(*words, pc);
    rt_has_read_words(envp, pc);
}

RT_EXPORT int execl(const char *path, const char *first, ...)
{
    uintptr_t pc = RT_CALLER();
    WORDS(first, words, n);
    va_end(ap);
    words_go(path, words, NULL, pc);
    bool recorded = before_exec();
    return after_exec(recorded, REAL(execv)(path, words));
}

RT_EXPORT int execlp(const char *file, const char *first, ...)
{
    uintptr_t pc = RT_CALLER();
    WORDS(first, words, n);
    va_end(ap);
    words_go(file, words, NULL, pc);
    bool recorded = before_exec();
    return after_exec(recorded, REAL(execvp)(file, words));
}

RT_EXPORT int execle(const char *path, const char *first, ...)
{
    uintptr_t pc = RT_CALLER();
    WORDS(first, words, n);
    char **envp = va_arg(ap, char **);
    va_end(ap);
    words_go(path, words, envp, pc);
    bool recorded = before_exec();
    return after_exec(recorded, REAL(execve)(path, words, envp));
}

INTERCEPT(int, system, (const char *command))
{
    text_goes(command, RT_CALLER());
    return REAL(system)(command);
}
