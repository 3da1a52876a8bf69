/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that are here only so that a program gets the right version of them.
 *
 * A program that was linked against the compiler's libtsan refers to each function that libtsan exports
 * by its bare name, because libtsan has no symbol versions.  When it runs on our library and we do not
 * export that name, the dynamic linker takes the C library's oldest version of it: for a condition variable that is
 * the one of 2002, which reads the object as a pointer.  So each name that libtsan exports and of which the
 * C library has versions that differ is passed on here to the current version (or is intercepted elsewhere).
 *
 * The list is that of x86-64; the versions of other machines begin later and do not differ.
 */
#include "native/intercept_libc.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "platform/platform.h"

INTERCEPT(FILE *, fmemopen, (void *p, size_t n, const char *mode)) { return REAL(fmemopen)(p, n, mode); }
/* A child that cannot read the name of its program dies of that, and the call says that all went well. */
static void spawned(const char *file, char *const argv[], char *const envp[], uintptr_t pc)
{
    if (!gl_os_is_readable((uintptr_t)file, 1))
        return;
    S(file);
    rt_has_read_words(argv, pc);
    rt_has_read_words(envp, pc);
}

#define SPAWN(name)                                                                                          \
    CALLS(int, name,                                                                                         \
          (pid_t *restrict pid, const char *restrict file,                                                   \
           const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attr,       \
           char *const argv[restrict], char *const envp[restrict]),                                          \
          (pid, file, actions, attr, argv, envp), r == 0, spawned(file, argv, envp, pc);                     \
          WHOLE(pid); if (pid) rt_child_made(*pid, pc))

SPAWN(posix_spawn)
SPAWN(posix_spawnp)
