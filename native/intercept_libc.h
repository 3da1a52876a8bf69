/* SPDX-License-Identifier: Apache-2.0
 *
 * What the interceptors share with one another.
 *
 * The rules of an interceptor
 *   - The runtime is entered only to record (RT_RECORD); the real function, and every access of ours
 *     to the program's memory, runs outside.  So a blocked thread takes its signals at once, a
 *     cancellation or an exception never unwinds a thread that is inside, and a fault of the program's pointer is
 *     the program's.
 *   - A release, and the ranges that are written, are recorded before the real function; an acquire
 *     after it, when it succeeded.
 *   - errno is what the real function left: nothing that records touches it.
 *   - pc is RT_CALLER() of the exported function itself.
 */
#ifndef GL_NATIVE_INTERCEPT_LIBC_H
#define GL_NATIVE_INTERCEPT_LIBC_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

/* glibc 2.38 and later would call strtol __isoc23_strtol behind our back, and scanf; both are intercepted, each under its name. */
#include <features.h>
#undef __GLIBC_USE_C2X_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C23_STRTOL 0
/* 2.43 and later make macros of strchr and its kin, for what returns a const pointer for a const one. */
#undef __glibc_const_generic

#include <errno.h>

#include "native/intercept.h"

/* Runs the statements with t as the calling thread, unless the runtime cannot be entered. */
#define RT_RECORD(t, ...)                                                                                    \
    do {                                                                                                     \
        struct rt_thread *t = rt_enter();                                                                    \
        if (t) {                                                                                             \
            __VA_ARGS__;                                                                                     \
            rt_leave();                                                                                      \
        }                                                                                                    \
    } while (0)

/* Runs the statements inside the runtime also when the thread is not known: for tables that must not miss anything. */
#define RT_ALWAYS(...)                                                                                       \
    do {                                                                                                     \
        rt_enter_always();                                                                                   \
        __VA_ARGS__;                                                                                         \
        rt_leave();                                                                                          \
    } while (0)

/* Runs a call whose library calls intercepted functions in turn: on their stacks the program's line pc is below. */
void __tsan_func_entry(void *pc);
void __tsan_func_exit(void);
#define RT_UNDER(pc, ...)                                                                                    \
    do {                                                                                                     \
        __tsan_func_entry((void *)(pc));                                                                     \
        __VA_ARGS__;                                                                                         \
        __tsan_func_exit();                                                                                  \
    } while (0)

/* glibc's own allocator, at any time and whatever other one is linked: those of gperftools and mimalloc, for example, define
 * __libc_malloc and its kin too. */
struct rt_libc_heap {
    void *(*malloc)(size_t n);
    void *(*calloc)(size_t count, size_t n);
    void *(*realloc)(void *p, size_t n);
    void *(*memalign)(size_t align, size_t n);
    void *(*valloc)(size_t n);
    void *(*pvalloc)(size_t n);
    void (*free)(void *p);
    size_t (*usable_size)(void *p);
};
extern struct rt_libc_heap rt_libc_heap;
extern bool rt_libc_heap_known;
void rt_libc_heap_find(void);

static inline const struct rt_libc_heap *rt_libc(void)
{
    if (RT_UNLIKELY(!__atomic_load_n(&rt_libc_heap_known, __ATOMIC_ACQUIRE))) /* pairs with rt_libc_heap_find() */
        rt_libc_heap_find();
    return &rt_libc_heap;
}

/* The same, and no handler of a signal begins in there (intercept_alloc.c). */
void *rt_libc_malloc(size_t n);
void *rt_libc_calloc(size_t count, size_t n);
void rt_libc_free(void *p);

/* libc's pthread_setcanceltype, for our own waits (intercept_thread.c). */
void rt_real_canceltype(int type, int *old);

/* malloc and free on behalf of the program line at pc (intercept_alloc.c). */
void *rt_malloc(size_t n, uintptr_t pc);
void *rt_memalign(size_t align, size_t n, uintptr_t pc);
void rt_free(void *p, uintptr_t pc);

/* The real strlen (intercept_mem.c). */
size_t rt_string_length(const char *s);
/* Bytes of a wide character in the thread's locale; SIZE_MAX: it has not got it (intercept_wide.c). */
size_t rt_wide_bytes(wchar_t c);

/* A range or a string of the program that libc has read, or has written: outside the runtime, NULL is none
 * (intercept_mem.c). */
void rt_has_read(const void *p, size_t n, uintptr_t pc);
void rt_has_written(const void *p, size_t n, uintptr_t pc);
/* A child's end comes after its fork, whoever forks and whoever waits for it (POSIX.1-2017, XBD 4.12).  The record follows the fork: who waits before that is not
 * ordered.  rt_child_made() returns pid, which may be 0 or -1.  gone: the next child of that number is another one. */
int rt_child_made(int pid, uintptr_t pc);
void rt_child_ended(int pid, bool gone, uintptr_t pc);
void rt_has_read_string(const char *s, uintptr_t pc);
void rt_has_written_string(const char *s, uintptr_t pc);
/* Can the text be read to its end? (intercept_file.c) */
bool rt_text_is_there(const char *s);
/* The words of a command or of an environment, as far as they can be read, up to NULL (intercept_exec.c). */
void rt_has_read_words(char *const words[], uintptr_t pc);

/* Calls, and when it went well (`good` of the result r) tells of ranges: R(ead) and W(ritten), S(tring) read and T(ext)
 * written. */
#define CALLS(ret, name, params, args, good, ...)                                                            \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ret r = REAL(name) args;                                                                             \
        if (good) {                                                                                          \
            int saved = errno; /* libc's own functions may be called in between */                           \
            __VA_ARGS__;                                                                                     \
            errno = saved;                                                                                   \
        }                                                                                                    \
        return r;                                                                                            \
    }
#define R(p, n)  rt_has_read((p), (n), pc)
#define W(p, n)  rt_has_written((p), (n), pc)
#define S(s)     rt_has_read_string((s), pc)
#define T(s)     rt_has_written_string((s), pc)
#define WHOLE(p) rt_has_written((p), sizeof *(p), pc)

/* A wait for a signal returned with it, or a read told that it came; code: its si_code, or RT_ANY_CODE (intercept_signal.c). */
void rt_signal_came(int sig, int code, int sender, uintptr_t pc);

/* signal_order.c.  The signal is about to be sent to the process, or a timer is set that will send it; to a thread, by its handle or by the system's number; by the
 * descriptor of a process or thread. */
void rt_signal_sends(int sig, uintptr_t pc);
void rt_signal_sends_to(uintptr_t pthread, int sig, uintptr_t pc);
void rt_signal_sends_to_number(int tid, int sig, uintptr_t pc);
void rt_signal_sends_by_descriptor(int fd, int sig, unsigned flags, uintptr_t pc);
/* The thread, whose handle is `pthread`, takes the signal, of which si_code and si_pid are told by the kernel; RT_ANY_CODE: they are not. */
enum { RT_ANY_CODE = 0x7fff };
struct rt_thread;
void rt_signal_taken(struct rt_thread *t, uintptr_t pthread, int sig, int code, int sender, uintptr_t pc);

/* Will the handler run before the call that sends the signal returns, as a function that the program calls?  Then rt_tls.raised tells which it is, until the
 * caller clears it. */
bool rt_signal_asks(int sig, bool itself);

/* Is the caller a child by clone() that runs in our memory as its maker, who waits? (intercept_process.c) */
bool rt_is_shared_child(void);

/* libc's on_exit, for the runtime's own handler (intercept_late.c). */
int rt_libc_on_exit(void (*function)(int, void *));

/* A jump to a frame at sp leaves a function of XDR (intercept_xdr.c). */
void rt_xdr_left(uintptr_t sp);

/* Around fork(): the table of signal handlers is not held by a thread that the child does not have; the
 * child has no signal kept back (intercept_signal.c). */
void rt_signals_fork_before(void);
void rt_signals_fork_after(bool child);

/* Around a fork that runs no hooks of pthread_atfork; false: within another such pair, which is what counts (intercept_process.c). */
bool rt_forks_begin(void);
void rt_forks_end(bool child);

#endif
