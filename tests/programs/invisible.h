/* SPDX-License-Identifier: Apache-2.0
 *
 * The order that a behaviour test needs and the detector must not see. A test says "this access, then that one, for
 * certain"; a mutex or a semaphore would say it too, but would order the two accesses and so remove the race. The
 * functions here keep the order with inline assembly and raw system calls only: no access that a compiler
 * instruments, no libc call that a detector intercepts. On the processor they are full barriers, so the values are
 * what the order says; in the memory model of C they are nothing.
 *
 *     THREAD(first)  { x = 1; turn_pass(); return NULL; }
 *     THREAD(second) { turn_wait(1); x = 2; return NULL; }        // after first's write, and yet a race
 *     int main(void) { RUN(first, second); return 0; }
 *
 * A program is compiled twice: with -DRACY, where `racy` is 1 and the race happens, and without, where it is 0.
 *
 * What a program does not say must not matter to it: with -DSHAKE=1 who passes a turn or signs goes on 30 ms late, with -DSHAKE=2 who has waited
 * for one does (`tests/programs/run --flags=-DSHAKE=1`, by hand).
 */
#ifndef TESTS_PROGRAMS_INVISIBLE_H
#define TESTS_PROGRAMS_INVISIBLE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>

#ifdef RACY
#define racy 1
#else
#define racy 0
#endif

#ifndef SHAKE
#define SHAKE 0
#endif

#define HIDDEN static inline __attribute__((always_inline, unused))
#define NOINLINE __attribute__((noinline))

/* A condition that the test rests on; a broken one ends the program, and the runner reports the signal. */
#define MUST(condition)                                                                                                \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            __builtin_trap();                                                                                          \
    } while (0)

/* Reads v into a register, so that no optimiser removes the read. */
#define USE(v) __asm__ volatile("" : : "r"(v))

/* Makes v unknown to the optimiser, so that a size or an index is not folded into the code. */
#define UNKNOWN(v)                                                                                                     \
    __extension__({                                                                                                    \
        __typeof__(v) unknown_ = (v);                                                                                  \
        __asm__ volatile("" : "+r"(unknown_));                                                                         \
        unknown_;                                                                                                      \
    })

#if defined(__x86_64__)
HIDDEN long hidden_syscall(long number, long a, long b, long c, long d) {
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10) : "rcx", "r11", "memory");
    return result;
}

/* One word passed from thread to thread behind the detector's back. */
HIDDEN void hidden_put(long *slot, long value) {
    __asm__ volatile("xchgq %0, (%1)" : "+r"(value) : "r"(slot) : "memory");
}

HIDDEN long hidden_get(const long *slot) {
    long value;
    __asm__ volatile("movq (%1), %0" : "=r"(value) : "r"(slot) : "memory");
    return value;
}

HIDDEN void hidden_add_one(unsigned *counter) {
    __asm__ volatile("lock incl (%0)" : : "r"(counter) : "memory");
}

HIDDEN unsigned hidden_count(const unsigned *counter) {
    unsigned now;
    __asm__ volatile("movl (%1), %0" : "=r"(now) : "r"(counter) : "memory");
    return now;
}

HIDDEN void hidden_pause(void) {
    __asm__ volatile("pause");
}
#elif defined(__aarch64__)
HIDDEN long hidden_syscall(long number, long a, long b, long c, long d) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c, x3 __asm__("x3") = d;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}

HIDDEN void hidden_put(long *slot, long value) {
    __asm__ volatile("dmb ish\n\tstr %0, [%1]\n\tdmb ish" : : "r"(value), "r"(slot) : "memory");
}

HIDDEN long hidden_get(const long *slot) {
    long value;
    __asm__ volatile("ldr %0, [%1]\n\tdmb ish" : "=r"(value) : "r"(slot) : "memory");
    return value;
}

HIDDEN void hidden_add_one(unsigned *counter) {
    unsigned now, failed;
    __asm__ volatile("dmb ish\n"
                     "1:\tldxr %w0, [%2]\n\t"
                     "add %w0, %w0, 1\n\t"
                     "stxr %w1, %w0, [%2]\n\t"
                     "cbnz %w1, 1b\n\t"
                     "dmb ish"
                     : "=&r"(now), "=&r"(failed)
                     : "r"(counter)
                     : "memory");
}

HIDDEN unsigned hidden_count(const unsigned *counter) {
    unsigned now;
    __asm__ volatile("ldr %w0, [%1]\n\tdmb ish" : "=r"(now) : "r"(counter) : "memory");
    return now;
}

HIDDEN void hidden_pause(void) {
    __asm__ volatile("yield");
}
#else
#error "the invisible order is written for x86-64 and AArch64; add the instructions of this processor here"
#endif

HIDDEN void hidden_yield(void) {
    hidden_syscall(SYS_sched_yield, 0, 0, 0, 0);
}

HIDDEN void hidden_shake(void) {
    const long nap[2] = {0, 30000000};
    hidden_syscall(SYS_nanosleep, (long)nap, 0, 0, 0);
}

/* How many turns have passed in this process. Touched by the assembly below only. */
static unsigned turn_count;

HIDDEN void turn_pass(void) {
    hidden_add_one(&turn_count);
    hidden_syscall(SYS_futex, (long)&turn_count, 129 /* WAKE, private */, 0x7fffffff, 0);
    if (SHAKE == 1)
        hidden_shake();
}

/* Returns when at least n turns have passed. */
HIDDEN void turn_wait(unsigned n) {
    for (;;) {
        unsigned now = hidden_count(&turn_count);
        if (now >= n)
            break;
        hidden_syscall(SYS_futex, (long)&turn_count, 128 /* WAIT, private */, (long)now, 0);
    }
    if (SHAKE == 2)
        hidden_shake();
}

HIDDEN long hidden_tid(void) {
    return hidden_syscall(SYS_gettid, 0, 0, 0, 0);
}

/* Returns when the kernel no longer knows the thread: it has run all of its end, the libc's part included. */
HIDDEN void hidden_wait_gone(long tid) {
    long pid = hidden_syscall(SYS_getpid, 0, 0, 0, 0);
    while (hidden_syscall(SYS_tgkill, pid, tid, 0, 0) == 0)
        hidden_yield();
}

/* A thread says who it is; another waits until it is gone. */
HIDDEN void hidden_sign(long *slot) {
    hidden_put(slot, hidden_tid());
    if (SHAKE == 1)
        hidden_shake();
}

HIDDEN void hidden_wait_signed_gone(const long *slot) {
    long tid;
    while ((tid = hidden_get(slot)) == 0)
        hidden_yield();
    hidden_wait_gone(tid);
    if (SHAKE == 2)
        hidden_shake();
}

typedef void *thread_function(void *);

#define THREAD(name) static void *name(void *arg __attribute__((unused)))

/* Starts one thread per function, in this order, and joins them all. */
#define RUN(...)                                                                                                       \
    do {                                                                                                               \
        thread_function *const run_functions[] = {__VA_ARGS__};                                                        \
        enum { run_count = sizeof run_functions / sizeof *run_functions };                                             \
        pthread_t run_threads[run_count];                                                                              \
        for (int run_i = 0; run_i < run_count; run_i++)                                                                \
            MUST(pthread_create(&run_threads[run_i], NULL, run_functions[run_i], NULL) == 0);                          \
        for (int run_i = 0; run_i < run_count; run_i++)                                                                \
            MUST(pthread_join(run_threads[run_i], NULL) == 0);                                                         \
    } while (0)

#endif
