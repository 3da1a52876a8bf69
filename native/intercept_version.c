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

#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#define PASS(ret, name, params, args)                                                                        \
    INTERCEPT(ret, name, params) { return REAL(name) args; }

PASS(int, pthread_cond_init, (pthread_cond_t *restrict c, const pthread_condattr_t *restrict a), (c, a))
PASS(int, pthread_cond_destroy, (pthread_cond_t * c), (c))
PASS(int, pthread_cond_signal, (pthread_cond_t * c), (c))
PASS(int, pthread_cond_broadcast, (pthread_cond_t * c), (c))

PASS(int, pthread_attr_getaffinity_np, (const pthread_attr_t *a, size_t n, cpu_set_t *set), (a, n, set))
PASS(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *set), (pid, n, set))
PASS(char *, realpath, (const char *restrict path, char *restrict resolved), (path, resolved))
PASS(FILE *, fmemopen, (void *p, size_t n, const char *mode), (p, n, mode))
PASS(int, regexec,
     (const regex_t *restrict r, const char *restrict s, size_t n, regmatch_t match[restrict n], int flags),
     (r, s, n, match, flags))
PASS(int, glob,
     (const char *restrict pattern, int flags, int (*error)(const char *, int), glob_t *restrict found),
     (pattern, flags, error, found))
PASS(int, glob64,
     (const char *restrict pattern, int flags, int (*error)(const char *, int), glob64_t *restrict found),
     (pattern, flags, error, found))

#define SPAWN(name)                                                                                          \
    PASS(int, name,                                                                                          \
         (pid_t *restrict pid, const char *restrict file,                                                    \
          const posix_spawn_file_actions_t *restrict actions, const posix_spawnattr_t *restrict attr,        \
          char *const argv[restrict], char *const envp[restrict]),                                           \
         (pid, file, actions, attr, argv, envp))

SPAWN(posix_spawn)
SPAWN(posix_spawnp)

PASS(double, lgamma, (double x), (x))
PASS(float, lgammaf, (float x), (x))
PASS(long double, lgammal, (long double x), (x))
