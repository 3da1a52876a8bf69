/* SPDX-License-Identifier: Apache-2.0
 *
 * syscall(): what the program asks the kernel for by itself.  Futexes and signals order, and the child of a fork must find the runtime
 * whole; other calls are not looked at.
 */
#include "native/intercept_fd.h" /* first: it says which names of libc are visible */

#include <linux/futex.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/platform.h"

/* Calls of newer kernels than the headers may be of. */
enum { CLONE3 = 435, WAITV = 449, WAKE2 = 454, WAIT2 = 455, REQUEUE2 = 456, LOCK_PI2 = 13 };
struct waiter {
    uint64_t value, word;
    uint32_t flags, reserved;
};

/* ---- futexes ---- */

/* Locks of the program's own may sleep by futex: who is woken comes after who woke. */
struct futex {
    bool wakes, waits;
    uintptr_t word, other; /* other: the second word, of a call that has one; 0: none */
    bool moves;            /* who sleeps at the word may be woken at the other one from now on */
};

static struct futex by_operation(const long a[6])
{
    struct futex f = {.word = (uintptr_t)a[0]};
    switch ((int)a[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
    case FUTEX_UNLOCK_PI: f.wakes = true; break;
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
    case FUTEX_CMP_REQUEUE_PI: f.moves = true; /* fall through */
    case FUTEX_WAKE_OP: f.wakes = true, f.other = (uintptr_t)a[4]; break;
    case FUTEX_WAIT_REQUEUE_PI: f.other = (uintptr_t)a[4]; /* fall through */
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
    case FUTEX_LOCK_PI:
    case LOCK_PI2:
    case FUTEX_TRYLOCK_PI: f.waits = true; break;
    default: break;
    }
    return f;
}

static bool can_read(long at, size_t n)
{
    bool there = false;
    RT_RECORD(t, there = rt_can_read(t, (const void *)at, n));
    return there;
}

/* Which one of several words it was that a wait ended at is known only afterwards. */
static struct futex futex_of(long number, const long a[6])
{
    switch (number) {
    case SYS_futex: return by_operation(a);
    case WAKE2: return (struct futex){.wakes = true, .word = (uintptr_t)a[0]};
    case WAIT2: return (struct futex){.waits = true, .word = (uintptr_t)a[0]};
    case REQUEUE2: {
        const struct waiter *two = (const struct waiter *)a[0];
        if (!can_read(a[0], 2 * sizeof *two))
            return (struct futex){0};
        return (struct futex){.wakes = true, .moves = true, .word = two[0].word, .other = two[1].word};
    }
    default: return (struct futex){0};
    }
}

/* Pairs of words: who slept at the first may have been moved to the second.  Never forgotten, but when there is no room, since nobody
 * says who is still asleep: memory that is used again may be ordered too much. */
#define MOVED 1024u
#define NEAR  16u
static struct {
    struct gl_spin lock;
    bool any;
    struct {
        uintptr_t from, to;
    } pair[MOVED + NEAR];
} moved;

static uint32_t place_of(uintptr_t word) { return (uint32_t)((word >> 2) * 0x9E3779B97F4A7C15ull >> 54); }
_Static_assert(MOVED == 1u << (64 - 54), "a place for each hash");

static void note_locked(uintptr_t from, uintptr_t to)
{
    uint32_t i = place_of(from), end = i + NEAR - 1;
    while (i < end && moved.pair[i].from && (moved.pair[i].from != from || moved.pair[i].to != to))
        i++;
    moved.pair[i].from = from;
    moved.pair[i].to = to;
}

/* Also for who had been moved to `from` before. */
static void note_moved(uintptr_t from, uintptr_t to)
{
    gl_spin_lock(&moved.lock);
    for (uint32_t i = 0; moved.any && i < MOVED + NEAR; i++)
        if (moved.pair[i].to == from && moved.pair[i].from != to)
            note_locked(moved.pair[i].from, to);
    note_locked(from, to);
    __atomic_store_n(&moved.any, true, __ATOMIC_RELAXED); /* relaxed: who was moved is woken after this, by the kernel */
    gl_spin_unlock(&moved.lock);
}

static void acquire_moved(struct rt_thread *t, uintptr_t from, uintptr_t pc)
{
    if (!__atomic_load_n(&moved.any, __ATOMIC_RELAXED)) /* relaxed: see above */
        return;
    gl_spin_lock(&moved.lock);
    for (uint32_t i = place_of(from), end = i + NEAR; i < end; i++)
        if (moved.pair[i].from == from)
            rt_acquire(t, moved.pair[i].to, RT_USER, pc);
    gl_spin_unlock(&moved.lock);
}

static void futex_before(const struct futex *f, uintptr_t pc)
{
    if (f->wakes)
        RT_RECORD(t, rt_release(t, f->word, RT_USER, pc); if (f->other) rt_release(t, f->other, RT_USER, pc);
                  if (f->moves) note_moved(f->word, f->other));
}

static void futex_after(const struct futex *f, uintptr_t pc)
{
    if (f->waits)
        RT_RECORD(t, rt_acquire(t, f->word, RT_USER, pc); acquire_moved(t, f->word, pc);
                  if (f->other) rt_acquire(t, f->other, RT_USER, pc));
}

/* ---- signals ---- */

/* The signal that the call sends, or 0; *itself: to its own process, or thread; *to: the thread that it is sent to, 0: the process. */
static int signal_sent(long number, const long a[6], bool *itself, int *to)
{
    *to = 0;
    *itself = (uint32_t)a[0] == gl_os_pid();
    switch (number) {
    case SYS_kill:
    case SYS_rt_sigqueueinfo: return (int)a[1];
    case SYS_tgkill:
    case SYS_rt_tgsigqueueinfo: *to = (int)a[1]; return (int)a[2];
    case SYS_tkill: *to = (int)a[0]; *itself = (uint32_t)a[0] == gl_os_tid(); return (int)a[1];
    case SYS_pidfd_send_signal: *itself = false; return (int)a[1];
    default: return 0;
    }
}

/* ---- the call ---- */

static bool is_fork(long number, const long a[6])
{
#ifdef SYS_fork /* not on newer machines */
    if (number == SYS_fork)
        return true;
#endif
    if (number == CLONE3) /* the flags are the first of a structure, of which the second argument says how long it is */
        return (size_t)a[1] >= sizeof(uint64_t) && can_read(a[0], sizeof(uint64_t)) && !(*(const uint64_t *)a[0] & CLONE_VM);
    return number == SYS_clone && !(a[0] & CLONE_VM);
}

INTERCEPT(long, syscall, (long number, ...))
{
    uintptr_t pc = RT_CALLER();
    long a[6];
    va_list ap;
    va_start(ap, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(ap, long);
    va_end(ap);
    struct futex f = futex_of(number, a);
    bool itself, forks = is_fork(number, a) && rt_forks_begin();
    int to, sig = signal_sent(number, a, &itself, &to);
    futex_before(&f, pc);
    if (number == SYS_pidfd_send_signal)
        rt_signal_sends_by_descriptor((int)a[0], sig, (unsigned)a[3], pc);
    else if (to)
        rt_signal_sends_to_number(to, sig, pc);
    else
        rt_signal_sends(sig, pc);
    bool asked = rt_signal_asks(sig, itself);
    long r = REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
    if (asked)
        rt_tls.raised = 0;
    if (forks)
        rt_forks_end(r == 0);
    if (number == SYS_rt_sigtimedwait && r > 0)
        rt_signal_came((int)r, RT_ANY_CODE, 0, pc);
    if (number == WAITV && r >= 0)
        f = (struct futex){.waits = true, .word = ((const struct waiter *)a[0])[r].word};
    if (r >= 0)
        futex_after(&f, pc);
    return r;
}
