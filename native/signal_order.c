/* SPDX-License-Identifier: Apache-2.0
 *
 * What sends a signal comes before the run of its handler, and before a wait for it that returns.
 *
 * A signal to the process may be taken by any of its threads: one object for each number.  One to a thread is that thread's alone: an object for
 * each handle, or system's number where only that was given, and signal; to one that a descriptor names, that of all threads, for it says no more.  How a signal was sent its taker reads in si_code; where that does not tell,
 * it comes after both kinds.
 */
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

#include "native/fd.h"
#include "native/intercept_libc.h"
#include "native/state.h"
#include "platform/linux/syscall.h"
#include "platform/platform.h"

enum { SIGNALS = 65 /* the kernel's: 1..64 */, BY_NUMBER = 128 };

static uint64_t to_process[SIGNALS];       /* their addresses are the objects */
static uint64_t by_descriptor[SIGNALS];    /* likewise: to a thread, of which nobody knows which */
static uint64_t to_threads;                /* bit n - 1: signal n was sent to a thread by its handle */
static uint64_t to_threads_number;         /* by its number; atomic, both */

static bool is_signal(int sig) { return sig > 0 && sig < SIGNALS; }

void rt_signal_sends(int sig, uintptr_t pc)
{
    if (is_signal(sig))
        RT_RECORD(t, rt_release(t, (uintptr_t)&to_process[sig], RT_USER, pc));
}

/* To a thread if the flags say so, or if they say nothing and the descriptor is one of a thread. */
static bool is_for_thread(int fd, unsigned flags)
{
    enum { TO_THREAD = 1 }; /* PIDFD_SIGNAL_THREAD; 2 and 4 are groups */
    if (flags)
        return flags & TO_THREAD;
    long opened = gl_syscall3(SYS_fcntl, fd, F_GETFL, 0);
    return opened >= 0 && opened & O_EXCL; /* PIDFD_THREAD */
}

void rt_signal_sends_by_descriptor(int fd, int sig, unsigned flags, uintptr_t pc)
{
    if (is_signal(sig) && !is_for_thread(fd, flags))
        rt_signal_sends(sig, pc);
    else if (is_signal(sig))
        RT_RECORD(t, rt_release(t, (uintptr_t)&by_descriptor[sig], RT_USER, pc));
}

static void sends(uint64_t *all, uint64_t thread, int sig, int kind, uintptr_t pc)
{
    if (!is_signal(sig))
        return;
    /* relaxed: whoever takes the signal does so by way of the kernel */
    __atomic_fetch_or(all, 1ull << (sig - 1), __ATOMIC_RELAXED);
    RT_RECORD(t, rt_release(t, rt_named(RT_NAMED_SIGNAL, thread, (uint64_t)(sig | kind)), RT_USER, pc));
}

void rt_signal_sends_to(uintptr_t pthread, int sig, uintptr_t pc) { sends(&to_threads, pthread, sig, 0, pc); }
void rt_signal_sends_to_number(int tid, int sig, uintptr_t pc) { sends(&to_threads_number, (uint64_t)tid, sig, BY_NUMBER, pc); }

static void take(struct rt_thread *t, uint64_t *all, uint64_t thread, int sig, int kind, uintptr_t pc)
{
    uintptr_t name = __atomic_load_n(all, __ATOMIC_RELAXED) >> (sig - 1) & 1 ? rt_named_if_any(RT_NAMED_SIGNAL, thread, (uint64_t)(sig | kind)) : 0;
    if (name)
        rt_acquire(t, name, RT_USER, pc);
}

void rt_signal_taken(struct rt_thread *t, uintptr_t pthread, int sig, int code, int sender, uintptr_t pc)
{
    bool process = code != SI_TKILL, thread = code != SI_USER || sender == 0; /* without memory for the details the kernel says that 0 sent it */
    if (!is_signal(sig))
        return;
    if (process)
        rt_acquire(t, (uintptr_t)&to_process[sig], RT_USER, pc);
    if (code < 0 || code == RT_ANY_CODE) /* SI_TKILL, or what the sender has given */
        rt_acquire(t, (uintptr_t)&by_descriptor[sig], RT_USER, pc);
    if (thread) {
        take(t, &to_threads, pthread, sig, 0, pc);
        take(t, &to_threads_number, gl_os_tid(), sig, BY_NUMBER, pc);
    }
}

static void end_all(struct rt_thread *t, uint64_t signals, uint64_t thread, int kind)
{
    for (; signals; signals &= signals - 1) {
        uintptr_t name = rt_named_own(RT_NAMED_SIGNAL, thread, (uint64_t)((__builtin_ctzll(signals) + 1) | kind));
        if (name)
            rt_sync_destroy(t, name, RT_USER, 0);
    }
}

void rt_signal_thread_ends(struct rt_thread *t)
{
    end_all(t, __atomic_load_n(&to_threads, __ATOMIC_RELAXED), t->pthread, 0); /* relaxed: as above */
    end_all(t, __atomic_load_n(&to_threads_number, __ATOMIC_RELAXED), gl_os_tid(), BY_NUMBER);
}
