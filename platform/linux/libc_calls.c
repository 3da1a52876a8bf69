/* SPDX-License-Identifier: Apache-2.0
 *
 * The system calls of the runtime's own libc (platform/internal_libc.h): each is the kernel's call
 * with the error moved into the runtime's errno.
 */
#include "platform/internal_libc.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>

#include "platform/linux/syscall.h"
#include "platform/platform.h"

/* initial-exec: the general model calls __tls_get_addr, which may allocate by the program's malloc. */
static __thread int internal_errno __attribute__((tls_model("initial-exec")));

int *gl_libc___errno_location(void)
{
    return &internal_errno;
}

static long result(long ret)
{
    if (!gl_syscall_failed(ret))
        return ret;
    internal_errno = (int)-ret;
    return -1;
}

void *gl_libc_mmap(void *at, size_t n, int prot, int flags, int fd, off_t offset)
{
    return (void *)result(gl_syscall6(SYS_mmap, (long)at, (long)n, prot, flags, fd, offset));
}

int gl_libc_munmap(void *p, size_t n)
{
    return (int)result(gl_syscall2(SYS_munmap, p, n));
}

int gl_libc_open(const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    unsigned mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(ap, unsigned) : 0;
    va_end(ap);
    return (int)result(gl_syscall4(SYS_openat, AT_FDCWD, path, flags, mode));
}

int gl_libc_close(int fd)
{
    return (int)result(gl_syscall1(SYS_close, fd));
}

ssize_t gl_libc_read(int fd, void *buf, size_t n)
{
    return result(gl_syscall3(SYS_read, fd, buf, n));
}

off_t gl_libc_lseek(int fd, off_t offset, int whence)
{
    return result(gl_syscall3(SYS_lseek, fd, offset, whence));
}

int gl_libc_fcntl(int fd, int command, ...)
{
    va_list ap;
    va_start(ap, command);
    long argument = va_arg(ap, long); /* commands without one ignore it, in the kernel too */
    va_end(ap);
    return (int)result(gl_syscall3(SYS_fcntl, fd, command, argument));
}

int gl_libc_fstat(int fd, struct stat *st)
{
    return (int)result(gl_syscall2(SYS_fstat, fd, st)); /* on 64 bits libc's struct is the kernel's */
}

int gl_libc_stat(const char *path, struct stat *st)
{
    return (int)result(gl_syscall4(SYS_newfstatat, AT_FDCWD, path, st, 0));
}

int gl_libc_lstat(const char *path, struct stat *st)
{
    return (int)result(gl_syscall4(SYS_newfstatat, AT_FDCWD, path, st, AT_SYMLINK_NOFOLLOW));
}

ssize_t gl_libc_readlink(const char *path, char *buf, size_t n)
{
    return result(gl_syscall4(SYS_readlinkat, AT_FDCWD, path, buf, n));
}

pid_t gl_libc_getpid(void)
{
    return (pid_t)gl_os_pid();
}

int gl_libc_getpagesize(void)
{
    return (int)gl_os_page_size();
}

_Noreturn void gl_libc_abort(void)
{
    /* The default action, even when the program handles or blocks SIGABRT: its handler must not run
     * in the middle of the runtime. */
    struct {
        void *handler;
        unsigned long flags;
        void *restorer;
        unsigned long mask;
    } act = {SIG_DFL, 0, NULL, 0};
    unsigned long set = 1ul << (SIGABRT - 1);
    gl_syscall4(SYS_rt_sigaction, SIGABRT, &act, NULL, sizeof set);
    gl_syscall4(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, NULL, sizeof set);
    gl_os_raise(SIGABRT);
    gl_os_exit_group(128 + SIGABRT);
}

_Noreturn void gl_libc___stack_chk_fail(void)
{
    static const char message[] = "goldilocks: stack smashing detected inside the runtime\n";
    gl_os_write(2, message, sizeof message - 1);
    gl_libc_abort();
}
