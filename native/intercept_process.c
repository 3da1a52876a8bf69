/* SPDX-License-Identifier: Apache-2.0
 *
 * The process: fork and the ways to end.
 *
 * fork: the hooks of pthread_atfork.  Ours are registered before the program's, so they run last before
 * the fork and first after it: the program's own hooks run outside the runtime.  This catches every
 * fork that libc makes, also inside forkpty and daemon.
 *
 * End: rt_finish() runs once, after all of the program's exit handlers and destructors, and its result is
 * the exit code.  Libc runs exit handlers in reverse order, and ours is registered when the library is loaded,
 * which is before libc registers the destructors of libraries.  A process that ends by a
 * signal (abort) has printed its reports already and keeps its status.
 */
#include "native/intercept_libc.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "platform/platform.h"

/* ---- fork ---- */

static __thread bool forking __attribute__((tls_model("initial-exec")));

static void fork_before(void)
{
    forking = rt_enter() != NULL;
    if (!forking)
        return;
    rt_fork_before();
    rt_signals_fork_before();
}

static void fork_after(bool child)
{
    if (!forking)
        return;
    forking = false;
    rt_signals_fork_after(child);
    if (child)
        rt_fork_child();
    else
        rt_fork_parent();
    rt_leave();
}

static void fork_parent(void) { fork_after(false); }

static void fork_child(void) { fork_after(true); }

/* Runs no hooks. */
INTERCEPT(pid_t, _Fork, (void))
{
    fork_before();
    pid_t pid = REAL(_Fork)();
    fork_after(pid == 0);
    return pid;
}

/* The child of a real vfork would run on our state in the parent's memory.  The parent does not wait for it,
 * and sees nothing of what it writes, which POSIX allows. */
INTERCEPT(pid_t, vfork, (void)) { return fork(); }

/* ---- end ---- */

static struct {
    uint32_t by; /* the thread that finishes; 0: nobody yet */
    uint32_t done;
    int extra; /* rt_finish()'s answer to 0: what replaces a code of 0 */
} finishing;

/* The exit code to use.  Whoever comes second waits: it must not end the process under a report. */
static int finish(int code)
{
    uint32_t me = gl_os_tid(), nobody = 0;
    if (__atomic_compare_exchange_n(&finishing.by, &nobody, me, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        struct rt_thread *t = rt_enter(); /* keeps signal handlers out, which may end the process too */
        int result = rt_finish(code);
        finishing.extra = result != code ? result : 0;
        __atomic_store_n(&finishing.done, 1, __ATOMIC_RELEASE); /* pairs with the load below */
        if (t)
            rt_leave();
        if (result != code)
            rt_death();
        return result;
    }
    if (nobody == me && !__atomic_load_n(&finishing.done, __ATOMIC_RELAXED)) /* relaxed: our own store */
        return code;                                                         /* from inside rt_finish() */
    for (unsigned n = 0; !__atomic_load_n(&finishing.done, __ATOMIC_ACQUIRE);
         n++) /* pairs with the store above */
        gl_os_pause(n);
    return finishing.extra ? finishing.extra : code;
}

/* exit() inside an exit handler is glibc's way to change the code: the handlers that are left (none)
 * and the flush of stdio follow. */
static void at_exit(int code, void *unused)
{
    (void)unused;
    int result = finish(code);
    if (result != code)
        exit(result);
}

INTERCEPT(void, _exit, (int code))
{
    REAL(_exit)(finish(code));
    __builtin_unreachable();
}

RT_ALIAS(_Exit, _exit);

/* Handlers of quick_exit are not told the code. */
static int quick_code;

static void at_quick_end(void)
{
    int result = finish(quick_code);
    if (result != quick_code)
        REAL(_exit)(result);
}

INTERCEPT(void, quick_exit, (int code))
{
    quick_code = code;
    REAL(quick_exit)(code);
    __builtin_unreachable();
}

/* Before the program's own constructors, so that its handlers come after ours. */
__attribute__((constructor(101))) static void register_hooks(void)
{
    rt_init(); /* it also says why we cannot be here at all */
    if (pthread_atfork(fork_before, fork_parent, fork_child) != 0 || rt_libc_on_exit(at_exit) != 0 ||
        at_quick_exit(at_quick_end) != 0) {
        static const char text[] = "goldilocks: no memory for the hooks of fork and exit; "
                                   "lift the memory limit of the process\n";
        (void)gl_os_write(2, text, sizeof text - 1);
        gl_os_exit_group(2);
    }
}
