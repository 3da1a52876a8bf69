/* SPDX-License-Identifier: Apache-2.0
 *
 * How a thread waits: the futex, and the body of a spin loop.
 */
#include "platform/platform.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

#include "platform/linux/syscall.h"

enum {
    PAUSE_ROUNDS = 64,  /* about a microsecond: the holder is most likely running */
    YIELD_ROUNDS = 1024 /* from here on sleep: a yield never lets a thread of lower priority run */
};

void gl_os_pause(unsigned rounds)
{
    if (rounds < PAUSE_ROUNDS) {
#if defined(__x86_64__)
        __asm__ volatile("pause");
#elif defined(__aarch64__)
        __asm__ volatile("isb");
#endif
    } else if (rounds < YIELD_ROUNDS) {
        gl_syscall0(SYS_sched_yield);
    } else {
        struct timespec nap = {.tv_sec = 0, .tv_nsec = 50000};
        gl_syscall2(SYS_nanosleep, &nap, NULL);
    }
}

void gl_os_sleep_ms(unsigned ms)
{
    struct timespec nap = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    gl_syscall2(SYS_nanosleep, &nap, NULL);
}

int gl_os_futex_wait(uint32_t *word, uint32_t expect, const struct timespec *deadline, bool realtime)
{
    /* The plain FUTEX_WAIT takes a relative time; the bitset form takes an absolute one. */
    int op = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | (realtime ? FUTEX_CLOCK_REALTIME : 0);
    long r = gl_syscall6(SYS_futex, (long)word, op, (long)expect, (long)deadline, 0, FUTEX_BITSET_MATCH_ANY);
    return r == 0 || r == -EAGAIN ? 0 : (int)r;
}

void gl_os_futex_wake(uint32_t *word, int count)
{
    gl_syscall3(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, count);
}

void gl_os_time_in(struct timespec *out, uint32_t milliseconds)
{
    gl_syscall2(SYS_clock_gettime, CLOCK_MONOTONIC, out);
    out->tv_nsec += (long)milliseconds % 1000 * 1000000;
    out->tv_sec += milliseconds / 1000 + out->tv_nsec / 1000000000;
    out->tv_nsec %= 1000000000;
}
