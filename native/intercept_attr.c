/* SPDX-License-Identifier: Apache-2.0
 *
 * What pthread attributes answer, and the rest of libc's functions that fill memory of the program: one line each.
 */
#include "native/intercept_libc.h"

#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wordexp.h>

/* ---- attributes ---- */

#define ATTRIBUTE(name, of, type)                                                                            \
    CALLS(int, name, (const of *restrict a, type *restrict to), (a, to), r == 0, WHOLE(to))

ATTRIBUTE(pthread_attr_getguardsize, pthread_attr_t, size_t)
ATTRIBUTE(pthread_attr_getinheritsched, pthread_attr_t, int)
ATTRIBUTE(pthread_attr_getschedparam, pthread_attr_t, struct sched_param)
ATTRIBUTE(pthread_attr_getschedpolicy, pthread_attr_t, int)
ATTRIBUTE(pthread_attr_getscope, pthread_attr_t, int)
ATTRIBUTE(pthread_attr_getstacksize, pthread_attr_t, size_t)
ATTRIBUTE(pthread_condattr_getclock, pthread_condattr_t, clockid_t)
ATTRIBUTE(pthread_condattr_getpshared, pthread_condattr_t, int)
ATTRIBUTE(pthread_mutexattr_getprioceiling, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_mutexattr_getprotocol, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_mutexattr_getpshared, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_mutexattr_getrobust, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_mutexattr_gettype, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_rwlockattr_getkind_np, pthread_rwlockattr_t, int)
ATTRIBUTE(pthread_rwlockattr_getpshared, pthread_rwlockattr_t, int)
CALLS(int, pthread_attr_getstack, (const pthread_attr_t *restrict a, void **restrict to, size_t *restrict n),
      (a, to, n), r == 0, WHOLE(to);
      WHOLE(n))
CALLS(int, pthread_getcpuclockid, (pthread_t id, clockid_t *to), (id, to), r == 0, WHOLE(to))
CALLS(int, pthread_setcancelstate, (int state, int *old), (state, old), r == 0, WHOLE(old))

/* ---- signal sets ---- */

CALLS(int, sigemptyset, (sigset_t * to), (to), r == 0, WHOLE(to))
CALLS(int, sigfillset, (sigset_t * to), (to), r == 0, WHOLE(to))
CALLS(int, sigandset, (sigset_t * to, const sigset_t *a, const sigset_t *b), (to, a, b), r == 0,
      R(a, sizeof *a);
      R(b, sizeof *b); WHOLE(to))
CALLS(int, sigorset, (sigset_t * to, const sigset_t *a, const sigset_t *b), (to, a, b), r == 0,
      R(a, sizeof *a);
      R(b, sizeof *b); WHOLE(to))
CALLS(int, sigaltstack, (const stack_t *restrict next, stack_t *restrict old), (next, old), r == 0,
      R(next, sizeof *next);
      WHOLE(old))

/* ---- the rest ---- */

CALLS(int, regcomp, (regex_t *restrict to, const char *restrict s, int flags), (to, s, flags), r == 0, S(s);
      WHOLE(to))
CALLS(size_t, regerror, (int error, const regex_t *restrict of, char *restrict to, size_t n),
      (error, of, to, n), r > 0, W(to, r < n ? r : n))
CALLS(int, wordexp, (const char *restrict s, wordexp_t *restrict to, int flags), (s, to, flags), r == 0, S(s);
      WHOLE(to))
CALLS(int, mincore, (void *p, size_t n, unsigned char *to), (p, n, to), r == 0, W(to, (n + 4095) / 4096))
CALLS(char *, getpass, (const char *prompt), (prompt), r != NULL, S(prompt); T(r))
CALLS(char *, tmpnam, (char to[L_tmpnam]), (to), r != NULL, T(r))
CALLS(char *, tmpnam_r, (char to[L_tmpnam]), (to), r != NULL, T(r))
CALLS(char *, tempnam, (const char *folder, const char *prefix), (folder, prefix), r != NULL, S(folder);
      S(prefix); T(r))
CALLS(char *, getusershell, (void), (), r != NULL, T(r))
