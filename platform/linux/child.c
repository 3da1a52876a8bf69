/* SPDX-License-Identifier: Apache-2.0
 *
 * A process of our own beside the program's.  It is made as posix_spawn() does it: it runs in our memory, on a stack
 * of its own, while the thread that makes it waits, until it executes its program; nothing is copied however large we are.
 *
 * The program must not meet it: its parent is a process that has ended (one that no wait() finds, and that sends no signal: what
 * executes a program would become one of which the program hears), so that init is told of its end; it has none of the program's descriptors, is in a
 * session of its own, and all signals are as they are at a login.  Only a program that adopts orphans (init of a container) hears of it.
 */
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>

#include "platform/linux/syscall.h"

enum {
    STACK_BYTES = 32 << 10, /* for each of two */
    SIGNALS = 64,
    DESCRIPTORS = 1 << 16 /* closed one by one where there is no close_range() */
};

struct birth {
    const char *path;
    char *const *argv, *const *envp;
    int socket;
    void *stack; /* of the second process */
    long error;  /* of either, which shares our memory */
};

static void give_descriptors(int socket)
{
    for (int fd = 0; fd < 2; fd++)
        if (gl_syscall3(SYS_dup3, socket, fd, 0) == -EINVAL) /* it is that one */
            gl_syscall3(SYS_fcntl, fd, F_SETFD, 0);
    long null = gl_syscall4(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY, 0);
    if (null != 2) {
        gl_syscall3(SYS_dup3, null, 2, 0);
        gl_os_close((int)null);
    }
    if (gl_syscall3(SYS_close_range, 3, ~0u, 0) != 0)
        for (int fd = 3; fd < DESCRIPTORS; fd++)
            gl_os_close(fd);
}

/* On its own stack, in our memory: it may change nothing of ours but `error`. */
static void be_program(struct birth *b)
{
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        uint64_t mask;
    } usual = {0};
    for (int sig = 1; sig <= SIGNALS; sig++)
        gl_syscall4(SYS_rt_sigaction, sig, &usual, NULL, sizeof usual.mask);
    give_descriptors(b->socket);
    gl_syscall0(SYS_setsid);
    uint64_t none = 0;
    gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &none, NULL, sizeof none);
    b->error = gl_syscall3(SYS_execve, b->path, b->argv, b->envp);
    for (;;)
        gl_syscall1(SYS_exit, 127);
}

/* The new process's id, or -errno; after it has ended or executed a program.  The kernel keeps the two registers for the child, too. */
static long clone_onto(void *stack_top, void (*work)(struct birth *), struct birth *arg)
{
    unsigned long flags = CLONE_VM | CLONE_VFORK; /* and no signal */
    uintptr_t top = (uintptr_t)stack_top & ~(uintptr_t)15;
#if defined(__x86_64__)
    register void (*r12)(struct birth *) __asm__("r12") = work;
    register struct birth *r13 __asm__("r13") = arg;
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;
    long ret;
    __asm__ volatile("syscall\n\t"
                     "testq %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xorl %%ebp, %%ebp\n\t"
                     "movq %%r13, %%rdi\n\t"
                     "callq *%%r12\n\t"
                     "ud2\n"
                     "1:"
                     : "=a"(ret)
                     : "0"((long)SYS_clone), "D"(flags), "S"(top), "d"(0L), "r"(r10), "r"(r8), "r"(r12), "r"(r13)
                     : "rcx", "r11", "memory", "cc");
    return ret;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = (long)flags;
    register long x1 __asm__("x1") = (long)top;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = 0;
    register void (*x20)(struct birth *) __asm__("x20") = work;
    register struct birth *x21 __asm__("x21") = arg;
    __asm__ volatile("svc 0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x29, xzr\n\t"
                     "mov x0, x21\n\t"
                     "blr x20\n\t"
                     "brk 0\n"
                     "1:"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x20), "r"(x21)
                     : "memory", "cc");
    return x0;
#else
#error "no way to begin a process on this machine: add it here"
#endif
}

static void be_parent(struct birth *b)
{
    long r = clone_onto(b->stack, be_program, b);
    if (r < 0)
        b->error = r;
    for (;;)
        gl_syscall1(SYS_exit, 0);
}

int gl_os_child_start(struct gl_os_child *c, const char *path, char *const *argv, char *const *envp)
{
    int pair[2];
    *c = (struct gl_os_child){.fd = -1};
    long r = gl_syscall4(SYS_socketpair, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair);
    if (r < 0)
        return (int)r;
    pair[0] = gl_os_moved_up(pair[0]);
    void *stack = gl_os_map_stack(2 * STACK_BYTES);
    struct birth b = {path, argv, envp, pair[1], (char *)stack - STACK_BYTES, stack ? 0 : -ENOMEM};
    if (stack) {
        uint64_t all = ~(uint64_t)0, was = 0; /* until it has no handlers of the program's any more */
        gl_syscall4(SYS_rt_sigprocmask, SIG_BLOCK, &all, &was, sizeof was);
        r = clone_onto(stack, be_parent, &b);
        while (r > 0 && gl_syscall4(SYS_wait4, r, NULL, __WALL, NULL) == -EINTR) {
        }
        gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &was, NULL, sizeof was);
        gl_os_unmap((char *)stack - 2 * STACK_BYTES, 2 * STACK_BYTES);
        if (r < 0)
            b.error = r;
    }
    gl_os_close(pair[1]);
    c->fd = pair[0];
    if (b.error == 0 && gl_os_file_of(c->fd, &c->socket))
        return 0;
    gl_os_close(c->fd);
    c->fd = -1;
    return b.error ? (int)b.error : -EBADF;
}

bool gl_os_child_is(const struct gl_os_child *c)
{
    struct gl_os_file file;
    return c->fd >= 0 && gl_os_file_of(c->fd, &file) && file.device == c->socket.device && file.inode == c->socket.inode;
}

int gl_os_child_write(const struct gl_os_child *c, const void *p, size_t n)
{
    for (size_t done = 0; done < n;) {
        long r = gl_syscall6(SYS_sendto, c->fd, (long)((const char *)p + done), (long)(n - done), MSG_NOSIGNAL, 0, 0);
        if (r < 0 && r != -EINTR)
            return (int)r;
        done += r > 0 ? (size_t)r : 0;
    }
    return 0;
}

long gl_os_child_read(const struct gl_os_child *c, void *p, size_t n, unsigned milliseconds)
{
    struct timespec left = {milliseconds / 1000, milliseconds % 1000 * 1000000l}; /* the kernel counts it down */
    struct pollfd ready = {.fd = c->fd, .events = POLLIN};
    long r;
    do
        r = gl_syscall6(SYS_ppoll, (long)&ready, 1, (long)&left, 0, 0, 0);
    while (r == -EINTR);
    if (r <= 0)
        return r == 0 ? -ETIMEDOUT : r;
    do
        r = gl_syscall6(SYS_recvfrom, c->fd, (long)p, (long)n, 0, 0, 0);
    while (r == -EINTR);
    return r;
}

void gl_os_child_forget(struct gl_os_child *c)
{
    if (gl_os_child_is(c))
        gl_os_close(c->fd);
    *c = (struct gl_os_child){.fd = -1};
}

void gl_os_child_end(struct gl_os_child *c)
{
    if (gl_os_child_is(c)) /* also where children of the program have our end, too */
        gl_syscall2(SYS_shutdown, c->fd, SHUT_RDWR);
    gl_os_child_forget(c);
}
