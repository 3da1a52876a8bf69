/* SPDX-License-Identifier: Apache-2.0
 *
 * What pthread attributes answer, and the rest of libc's functions that fill memory of the program: one line each.
 */
#include "native/intercept_libc.h"

#include <execinfo.h>
#include <glob.h>
#include <libintl.h>
#include <linux/capability.h>
#include <locale.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
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
/* Its name before it was in POSIX; glibc has it for old programs only. */
RT_EXPORT int old_getrobust(const pthread_mutexattr_t *, int *) __asm__("pthread_mutexattr_getrobust_np");
RT_ALIAS(old_getrobust, pthread_mutexattr_getrobust);
ATTRIBUTE(pthread_mutexattr_gettype, pthread_mutexattr_t, int)
ATTRIBUTE(pthread_rwlockattr_getkind_np, pthread_rwlockattr_t, int)
ATTRIBUTE(pthread_rwlockattr_getpshared, pthread_rwlockattr_t, int)
CALLS(int, pthread_attr_getstack, (const pthread_attr_t *restrict a, void **restrict to, size_t *restrict n),
      (a, to, n), r == 0, WHOLE(to);
      WHOLE(n))
CALLS(int, pthread_getcpuclockid, (pthread_t id, clockid_t *to), (id, to), r == 0, WHOLE(to))
CALLS(int, pthread_setcancelstate, (int state, int *old), (state, old), r == 0, WHOLE(old))
CALLS(int, pthread_attr_getaffinity_np, (const pthread_attr_t *a, size_t n, cpu_set_t *to), (a, n, to),
      r == 0, W(to, n))
CALLS(int, sched_getaffinity, (pid_t pid, size_t n, cpu_set_t *to), (pid, n, to), r == 0, W(to, n))

/* ---- signal sets ---- */

CALLS(int, sigemptyset, (sigset_t * to), (to), r == 0, WHOLE(to))
CALLS(int, sigfillset, (sigset_t * to), (to), r == 0, WHOLE(to))
CALLS(int, sigandset, (sigset_t * to, const sigset_t *a, const sigset_t *b), (to, a, b), r == 0,
      R(a, sizeof *a);
      R(b, sizeof *b); WHOLE(to))
CALLS(int, sigorset, (sigset_t * to, const sigset_t *a, const sigset_t *b), (to, a, b), r == 0,
      R(a, sizeof *a);
      R(b, sizeof *b); WHOLE(to))

/* ---- the rest ---- */

CALLS(int, regcomp, (regex_t *restrict to, const char *restrict s, int flags), (to, s, flags), r == 0, S(s);
      WHOLE(to))
CALLS(size_t, regerror, (int error, const regex_t *restrict of, char *restrict to, size_t n),
      (error, of, to, n), r > 0, W(to, r < n ? r : n))
CALLS(int, regexec,
      (const regex_t *restrict of, const char *restrict s, size_t n, regmatch_t match[restrict n], int flags),
      (of, s, n, match, flags), r == 0 || r == REG_NOMATCH, R(of, sizeof *of);
      if (!(flags & REG_STARTEND)) S(s); if (r == 0 && !of->no_sub) W(match, n * sizeof *match))
INTERCEPT(void, regfree, (regex_t * of))
{
    uintptr_t pc = RT_CALLER();
    rt_has_written(of, sizeof *of, pc);
    REAL(regfree)(of);
}
#define GLOBS(name, type)                                                                                    \
    CALLS(int, name,                                                                                         \
          (const char *restrict pattern, int flags, int (*error)(const char *, int), type *restrict to),     \
          (pattern, flags, error, to), true, S(pattern);                                                     \
          if (r == 0) WHOLE(to))
GLOBS(glob, glob_t)
GLOBS(glob64, glob64_t)
CALLS(int, wordexp, (const char *restrict s, wordexp_t *restrict to, int flags), (s, to, flags), r == 0, S(s);
      WHOLE(to))
CALLS(char *, setlocale, (int what, const char *name), (what, name), true, S(name))
CALLS(char *, textdomain, (const char *name), (name), true, S(name))
CALLS(int, backtrace, (void **to, int n), (to, n), r > 0, W(to, (size_t)r * sizeof *to))
CALLS(char **, backtrace_symbols, (void *const *from, int n), (from, n), r != NULL,
      R(from, (size_t)n * sizeof *from);
      W(r, (size_t)n * sizeof *r))
/* The version in the header says how many words of data there are. */
static size_t capability_size(const struct __user_cap_header_struct *h)
{
    return (h->version == _LINUX_CAPABILITY_VERSION_1 ? 1 : 2) * sizeof(struct __user_cap_data_struct);
}
int capget(struct __user_cap_header_struct *h, struct __user_cap_data_struct *to);
CALLS(int, capget, (struct __user_cap_header_struct * h, struct __user_cap_data_struct *to), (h, to), r == 0,
      R(h, sizeof *h);
      W(to, capability_size(h)))
int capset(struct __user_cap_header_struct *h, const struct __user_cap_data_struct *from);
CALLS(int, capset, (struct __user_cap_header_struct * h, const struct __user_cap_data_struct *from),
      (h, from), r == 0, R(h, sizeof *h);
      R(from, capability_size(h)))
CALLS(int, mincore, (void *p, size_t n, unsigned char *to), (p, n, to), r == 0, W(to, (n + 4095) / 4096))
CALLS(char *, getpass, (const char *prompt), (prompt), r != NULL, S(prompt); T(r))
CALLS(char *, tmpnam, (char to[L_tmpnam]), (to), r != NULL, T(r))
CALLS(char *, tmpnam_r, (char to[L_tmpnam]), (to), r != NULL, T(r))
CALLS(char *, tempnam, (const char *folder, const char *prefix), (folder, prefix), r != NULL, S(folder);
      S(prefix); T(r))
CALLS(char *, getusershell, (void), (), r != NULL, T(r))
