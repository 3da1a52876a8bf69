/* SPDX-License-Identifier: Apache-2.0
 *
 * Time: what clocks write into the program's memory.  Functions that answer in a static object of libc's write that
 * object: two threads that use one of them race.
 */
#include "native/intercept_libc.h"

#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

typedef const struct tm *tm_in;
typedef const struct timespec *timespec_in;

CALLS(time_t, time, (time_t * at), (at), at != NULL, WHOLE(at))
CALLS(int, gettimeofday, (struct timeval *restrict at, void *restrict zone), (at, zone), r == 0, WHOLE(at);
      W(zone, zone ? sizeof(struct timezone) : 0))
CALLS(int, settimeofday, (const struct timeval *at, const struct timezone *zone), (at, zone),
      r == 0 || errno != EFAULT, R(at, sizeof *at))
CALLS(int, clock_gettime, (clockid_t c, struct timespec *at), (c, at), r == 0, WHOLE(at))
CALLS(int, clock_getres, (clockid_t c, struct timespec *step), (c, step), r == 0, WHOLE(step))
CALLS(int, clock_settime, (clockid_t c, timespec_in at), (c, at), r == 0 || errno != EFAULT,
      R(at, sizeof *at))
CALLS(int, clock_getcpuclockid, (pid_t pid, clockid_t *c), (pid, c), r == 0, WHOLE(c))
CALLS(int, timespec_get, (struct timespec * at, int base), (at, base), r == base, WHOLE(at))
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
CALLS(int, ftime, (struct timeb * at), (at), r == 0, WHOLE(at))
#pragma GCC diagnostic pop
CALLS(clock_t, times, (struct tms * at), (at), r != (clock_t)-1, WHOLE(at))
CALLS(unsigned, sleep, (unsigned seconds), (seconds), true, rt_has_slept(pc))
CALLS(int, usleep, (useconds_t time), (time), true, rt_has_slept(pc))
/* The time is read before handlers of signals run, which may release. */
#define SLEEPS(name, params, args, interrupted)                                                              \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        R(time, sizeof *time);                                                                               \
        int r = REAL(name) args, saved = errno;                                                              \
        rt_has_slept(pc);                                                                                    \
        if (interrupted)                                                                                     \
            WHOLE(left);                                                                                     \
        errno = saved;                                                                                       \
        return r;                                                                                            \
    }
SLEEPS(nanosleep, (timespec_in time, struct timespec *left), (time, left), r != 0 && saved == EINTR)
SLEEPS(clock_nanosleep, (clockid_t c, int flags, timespec_in time, struct timespec *left), (c, flags, time, left),
       r == EINTR && !(flags & TIMER_ABSTIME))
CALLS(int, getitimer, (__itimer_which_t which, struct itimerval *now), (which, now), r == 0, WHOLE(now))
INTERCEPT(int, setitimer,
          (__itimer_which_t which, const struct itimerval *restrict next, struct itimerval *restrict old))
{
    uintptr_t pc = RT_CALLER();
    rt_signal_sends(which == ITIMER_REAL ? SIGALRM : which == ITIMER_VIRTUAL ? SIGVTALRM : SIGPROF, pc);
    int r = REAL(setitimer)(which, next, old);
    if (r == 0) {
        R(next, sizeof *next);
        WHOLE(old);
    }
    return r;
}

#define BROKEN_DOWN(name)                                                                                    \
    CALLS(struct tm *, name, (const time_t *at), (at), r != NULL, R(at, sizeof *at); WHOLE(r))
#define BROKEN_DOWN_INTO(name)                                                                               \
    CALLS(struct tm *, name, (const time_t *restrict at, struct tm *restrict to), (at, to), r != NULL,       \
          R(at, sizeof *at);                                                                                 \
          WHOLE(to))

BROKEN_DOWN(gmtime)
BROKEN_DOWN(localtime)
BROKEN_DOWN_INTO(gmtime_r)
BROKEN_DOWN_INTO(localtime_r)
/* -1 is the last second of 1969, too. */
CALLS(time_t, mktime, (struct tm * at), (at), r != (time_t)-1 || errno != EOVERFLOW, WHOLE(at))
CALLS(time_t, timegm, (struct tm * at), (at), r != (time_t)-1 || errno != EOVERFLOW, WHOLE(at))
CALLS(char *, asctime, (tm_in at), (at), r != NULL, R(at, sizeof *at); T(r))
CALLS(char *, asctime_r, (tm_in restrict at, char *restrict to), (at, to), r != NULL, R(at, sizeof *at);
      T(to))
CALLS(char *, ctime, (const time_t *at), (at), r != NULL, R(at, sizeof *at); T(r))
CALLS(char *, ctime_r, (const time_t *restrict at, char *restrict to), (at, to), r != NULL, R(at, sizeof *at);
      T(to))
typedef char *strptime_function(const char *, const char *, struct tm *);

/* Those parts of a broken-down time that the format names: they become the same, whatever was there. */
static void parts_written_by(strptime_function *real, const char *s, const char *format, const struct tm *to, uintptr_t pc)
{
    struct tm a = {.tm_sec = 1, .tm_min = 1, .tm_hour = 1, .tm_mday = 1, .tm_mon = 1, .tm_year = 1, .tm_wday = 1, .tm_yday = 1, .tm_isdst = 1, .tm_gmtoff = 1},
              b = {.tm_sec = 2, .tm_min = 2, .tm_hour = 2, .tm_mday = 2, .tm_mon = 2, .tm_year = 2, .tm_wday = 2, .tm_yday = 2, .tm_isdst = 2, .tm_gmtoff = 2};
    if (!real(s, format, &a) || !real(s, format, &b))
        return;
#define PART(name)                                                                                           \
    if (a.name == b.name)                                                                                    \
    rt_has_written(&to->name, sizeof to->name, pc)
    PART(tm_sec);
    PART(tm_min);
    PART(tm_hour);
    PART(tm_mday);
    PART(tm_mon);
    PART(tm_year);
    PART(tm_wday);
    PART(tm_yday);
    PART(tm_isdst);
    PART(tm_gmtoff);
#undef PART
}
#define parts_written(s, format, to, pc) parts_written_by(REAL(strptime), s, format, to, pc)

CALLS(size_t, strftime, (char *restrict to, size_t n, const char *restrict format, tm_in restrict at),
      (to, n, format, at), true, S(format);
      R(at, sizeof *at); W(to, r || (n && !*format) ? r + 1 : 0))
CALLS(char *, strptime, (const char *restrict s, const char *restrict format, struct tm *restrict to),
      (s, format, to), r != NULL, R(s, (size_t)(r - s));
      S(format); parts_written(s, format, to, pc))
