/* SPDX-License-Identifier: Apache-2.0
 *
 * The system call instruction.  Returns what the kernel returns: a value, or -errno (-4095..-1).
 * Nothing of libc is touched, errno least of all.
 */
#ifndef GL_PLATFORM_LINUX_SYSCALL_H
#define GL_PLATFORM_LINUX_SYSCALL_H

#include <sys/syscall.h>

static inline long gl_syscall6(long n, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    long ret;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "0"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return ret;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = n;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "no system call sequence for this machine: add it here"
#endif
}

#define gl_syscall0(n) gl_syscall6((n), 0, 0, 0, 0, 0, 0)
#define gl_syscall1(n, a) gl_syscall6((n), (long)(a), 0, 0, 0, 0, 0)
#define gl_syscall2(n, a, b) gl_syscall6((n), (long)(a), (long)(b), 0, 0, 0, 0)
#define gl_syscall3(n, a, b, c) gl_syscall6((n), (long)(a), (long)(b), (long)(c), 0, 0, 0)
#define gl_syscall4(n, a, b, c, d) gl_syscall6((n), (long)(a), (long)(b), (long)(c), (long)(d), 0, 0)

static inline _Bool gl_syscall_failed(long ret) { return (unsigned long)ret >= -4095ul; }

#endif
