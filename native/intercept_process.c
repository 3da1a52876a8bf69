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
#include "native/intercept_fd.h"

#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "native/state.h"
#include "platform/platform.h"

/* ---- fork ---- */

static __thread bool forking __attribute__((tls_model("initial-exec")));

static void fork_before(void)
{
    bool inside = rt_tls.depth > 0;
    forking = rt_enter() != NULL;
    if (!forking && !inside && gl_load_acquire(&rt.up)) { /* a thread that is not known, or is past its end: others may hold locks, too */
        rt_enter_always();
        forking = true;
    }
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

/* By the system call itself.  The program may tell of it (linux_syscall_hooks.h) and make it by syscall(): once is enough. */
bool rt_forks_begin(void)
{
    if (forking)
        return false;
    fork_before();
    return true;
}

void rt_forks_end(bool child) { fork_after(child); }

/* fork() takes libc's lock of the list of streams behind the handlers of pthread_atfork, when all others are kept out of the runtime. Who has that lock may wait
 * for a stream (fflush(NULL)), and who has the stream for memory (getline()), which is ours to give.  So it is taken before, by its owner once more than
 * libc does; and in the child made new, as libc makes it where there were other threads. */
static struct {
    void (*lock)(void), (*unlock)(void), (*reset)(void);
} streams;

static void find_streams(void)
{
    streams.lock = (void (*)(void))rt_real_find("_IO_list_lock");
    streams.unlock = (void (*)(void))rt_real_find("_IO_list_unlock");
    streams.reset = (void (*)(void))rt_real_find("_IO_list_resetlock");
    if (!streams.unlock || !streams.reset)
        streams.lock = NULL;
}

static void fork_prepare(void)
{
    if (streams.lock)
        streams.lock();
    fork_before();
}

static void fork_parent(void)
{
    fork_after(false);
    if (streams.lock)
        streams.unlock();
}

static void fork_child(void)
{
    fork_after(true);
    if (streams.lock)
        streams.reset();
}

int rt_child_made(int pid, uintptr_t pc)
{
    if (pid > 0)
        RT_RECORD(t, rt_release(t, rt_named(RT_NAMED_CHILD, (uint64_t)pid, 0), RT_USER, pc));
    return pid;
}

void rt_child_ended(int pid, bool gone, uintptr_t pc)
{
    if (pid <= 0)
        return;
    RT_RECORD(t, uintptr_t name = rt_named_if_any(RT_NAMED_CHILD, (uint64_t)pid, 0);
              if (name) rt_acquire(t, name, RT_USER, pc);
              if (name && gone && rt_named_own(RT_NAMED_CHILD, (uint64_t)pid, 0)) rt_sync_destroy(t, name, RT_USER, pc));
}

/* Runs no hooks. */
INTERCEPT(pid_t, _Fork, (void))
{
    uintptr_t pc = RT_CALLER();
    fork_before();
    pid_t pid = REAL(_Fork)();
    fork_after(pid == 0);
    return rt_child_made(pid, pc);
}

/* Handlers of pthread_atfork run on the thread that forks, after they were registered by another.  Ours run too late for that:
 * the program's come first. */
static uint64_t handlers;

int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module);
INTERCEPT(int, __register_atfork,
          (void (*prepare)(void), void (*parent)(void), void (*child)(void), void *module))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_release(t, (uintptr_t)&handlers, RT_USER, pc));
    return REAL(__register_atfork)(prepare, parent, child, module);
}

static void handlers_run(uintptr_t pc) { RT_RECORD(t, rt_acquire(t, (uintptr_t)&handlers, RT_USER, pc)); }

INTERCEPT(pid_t, fork, (void))
{
    uintptr_t pc = RT_CALLER();
    handlers_run(pc);
    return rt_child_made(REAL(fork)(), pc);
}

/* These fork inside. */
INTERCEPT(int, forkpty, (int *pty, char *name, const struct termios *as, const struct winsize *size))
{
    uintptr_t pc = RT_CALLER();
    handlers_run(pc);
    pid_t pid = REAL(forkpty)(pty, name, as, size);
    if (pid > 0) {
        RT_ALWAYS(rt_fd_forget(*pty, *pty));
        FD_OPENED(*pty);
        WHOLE(pty);
    }
    return rt_child_made(pid, pc);
}

INTERCEPT(int, daemon, (int stay, int open))
{
    handlers_run(RT_CALLER());
    return REAL(daemon)(stay, open);
}

/* The child of a real vfork would run on our state in the parent's memory.  The parent does not wait for it,
 * and sees nothing of what it writes, which POSIX allows. */
INTERCEPT(pid_t, vfork, (void))
{
    uintptr_t pc = RT_CALLER();
    handlers_run(pc);
    return rt_child_made(REAL(fork)(), pc);
}

struct cloned {
    int (*function)(void *);
    void *arg;
};

/* In the child: a copy of the process, on a stack of its own. */
static int run_copy(void *cloned)
{
    struct cloned c = *(struct cloned *)cloned;
    fork_after(true);
    _exit(c.function(c.arg));
}

/* Set while a child runs as its maker, in our memory: its end and its exec are not the process's. */
static __thread bool shared_child __attribute__((tls_model("initial-exec")));

bool rt_is_shared_child(void) { return shared_child; }

/* A child in our memory.  One that the caller waits for runs as the caller.  One with thread-local memory of its own is a thread that we do
 * not know; without, it would be two threads in one record of ours: then checking stops. */
static void before_shared(int flags)
{
    if (flags & (CLONE_VFORK | CLONE_SETTLS))
        return;
    rt_count(RT_COUNT_clone_shares);
    gl_core_stop(rt.core);
}

INTERCEPT(int, clone, (int (*function)(void *), void *stack, int flags, void *arg, ...))
{
    va_list ap;
    va_start(ap, arg);
    pid_t *parent_tid = va_arg(ap, pid_t *);
    void *tls = va_arg(ap, void *);
    pid_t *child_tid = va_arg(ap, pid_t *);
    va_end(ap);
    struct rt_frame *top = rt_tls.top;
    int r;
    if (flags & CLONE_VM) {
        before_shared(flags);
        shared_child = (flags & (CLONE_VFORK | CLONE_SETTLS)) == CLONE_VFORK;
        r = REAL(clone)(function, stack, flags, arg, parent_tid, tls, child_tid);
        shared_child = false;
        rt_tls.top = top; /* calls that the child did not return from */
        return r;
    }
    struct cloned c = {function, arg};
    fork_before();
    r = REAL(clone)(function ? run_copy : NULL, stack, flags, &c, parent_tid, tls, child_tid); /* without one it is an error */
    int saved = errno;
    fork_after(false);
    errno = saved;
    return r;
}

/* ---- another process's memory, and this one's ---- */

#define MOVES(name, record)                                                                                  \
    INTERCEPT(ssize_t, name,                                                                                 \
              (pid_t pid, const struct iovec *v, unsigned long n, const struct iovec *there,                 \
               unsigned long m, unsigned long flags))                                                        \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ssize_t r = REAL(name)(pid, v, n, there, m, flags);                                                  \
        if (r >= 0)                                                                                          \
            rt_vector(v, n, (size_t)r, record, pc);                                                          \
        return r;                                                                                            \
    }

MOVES(process_vm_readv, rt_write_range)
MOVES(process_vm_writev, rt_read_range)

/* What is reserved for the shadow of all memory cannot be locked: like ThreadSanitizer we say that it went well. */
INTERCEPT(int, mlockall, (int flags))
{
    (void)flags;
    rt_count(RT_COUNT_mlockall);
    return 0;
}

void __tsan_set_fiber_name(void *thread, const char *name);

INTERCEPT(int, prctl, (int option, ...))
{
    uintptr_t pc = RT_CALLER();
    unsigned long a[4];
    va_list ap;
    va_start(ap, option);
    for (int i = 0; i < 4; i++)
        a[i] = va_arg(ap, unsigned long);
    va_end(ap);
    int r = REAL(prctl)(option, a[0], a[1], a[2], a[3]);
    if (r == 0 && option == PR_SET_NAME) {
        S((const char *)a[0]);
        RT_RECORD(t, __tsan_set_fiber_name(t, (const char *)a[0]));
    } else if (r == 0 && option == PR_GET_NAME) {
        T((const char *)a[0]);
    }
    return r;
}

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
    REAL(_exit)(shared_child ? code : finish(code));
    __builtin_unreachable();
}

RT_ALIAS(_Exit, _exit);

/* The program's own stand before these; those of a library that knows nothing of us come behind, and are passed on to. */
__attribute__((weak)) void __tsan_on_initialize(void)
{
    void (*next)(void) = (void (*)(void))rt_real_find("__tsan_on_initialize");
    if (next)
        next();
}

/* Found at the start: at the end another thread may have had a lock of the linker's, or of libc, when this process was forked. */
static int (*next_finalize)(int);

void rt_finalize_find(void) { next_finalize = (int (*)(int))rt_real_find("__tsan_on_finalize"); }

__attribute__((weak)) int __tsan_on_finalize(int failed) { return next_finalize ? next_finalize(failed) : failed; }

/* Handlers of quick_exit are not told the code. */
static int quick_code;

static void at_quick_end(void)
{
    int result = finish(quick_code);
    if (result != quick_code)
        REAL(_exit)(result);
}

/* They run on the thread that ends the process, after they were registered by another.  libc passes them nothing by which one would be known. */
static uint64_t quick_handlers;

int __cxa_at_quick_exit(void (*function)(void *), void *module);
INTERCEPT(int, __cxa_at_quick_exit, (void (*function)(void *), void *module))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_release(t, (uintptr_t)&quick_handlers, RT_USER, pc));
    return REAL(__cxa_at_quick_exit)(function, module);
}

INTERCEPT(void, quick_exit, (int code))
{
    uintptr_t pc = RT_CALLER();
    RT_RECORD(t, rt_acquire(t, (uintptr_t)&quick_handlers, RT_USER, pc));
    quick_code = code;
    REAL(quick_exit)(code);
    __builtin_unreachable();
}

/* Before the program's own constructors, so that its handlers come after ours. */
__attribute__((constructor(101))) static void register_hooks(void)
{
    rt_init(); /* it also says why we cannot be here at all */
    find_streams();
    if (pthread_atfork(fork_prepare, fork_parent, fork_child) != 0 || rt_libc_on_exit(at_exit) != 0 ||
        at_quick_exit(at_quick_end) != 0) {
        static const char text[] = "goldilocks: no memory for the hooks of fork and exit; "
                                   "lift the memory limit of the process\n";
        (void)gl_os_write(2, text, sizeof text - 1);
        gl_os_exit_group(2);
    }
}
