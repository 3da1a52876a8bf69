/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of sanitizer/linux_syscall_hooks.h, by which a program tells of the system calls that it makes itself, before
 * (`pre`) and after (`post`): libuv does of close.  Those that move the program's bytes, and that make, use and close descriptors, say here
 * what the interceptors of the libc functions of these names say; the others are there, and say nothing.
 */
#include "native/intercept_fd.h"

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>

/* They are given what the system call is given; nothing looks at it. */
#define H(name)                                                                                                                         \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(void);                                                                           \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(void) {}                                                                         \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(void);                                                                          \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(void) {}

H(access) H(acct) H(add_key) H(adjtimex) H(alarm) H(bdflush) H(brk) H(capget) H(capset) H(chdir) H(chmod) H(chown) H(chown16)
H(chroot) H(clock_adjtime) H(clock_getres) H(clock_nanosleep) H(clock_settime) H(delete_module) H(dup2) H(dup3) H(epoll_pwait)
H(epoll_pwait2) H(exit) H(exit_group) H(faccessat) H(fanotify_init) H(fanotify_mark) H(fchdir) H(fchmod) H(fchmodat) H(fchown)
H(fchown16) H(fchownat) H(fcntl) H(fcntl64) H(fdatasync) H(fgetxattr) H(flistxattr) H(flock) H(fremovexattr) H(fsetxattr) H(fstat)
H(fstat64) H(fstatat64) H(fstatfs) H(fstatfs64) H(fsync) H(ftruncate) H(futex) H(futimesat) H(get_mempolicy) H(get_robust_list)
H(getcpu) H(getegid) H(getegid16) H(geteuid) H(geteuid16) H(getgid) H(getgid16) H(getgroups) H(getgroups16) H(gethostname)
H(getitimer) H(getpeername) H(getpgid) H(getpgrp) H(getpid) H(getppid) H(getpriority) H(getresgid) H(getresgid16) H(getresuid)
H(getresuid16) H(getrlimit) H(getsid) H(getsockname) H(getsockopt) H(gettid) H(getuid) H(getuid16) H(getxattr) H(init_module)
H(inotify_add_watch) H(inotify_rm_watch) H(io_cancel) H(io_destroy) H(io_getevents) H(io_setup) H(io_submit) H(ioperm) H(ioprio_get)
H(ioprio_set) H(ipc) H(kexec_load) H(keyctl) H(kill) H(lchown) H(lchown16) H(lgetxattr) H(link) H(linkat) H(listxattr) H(llistxattr)
H(llseek) H(lookup_dcookie) H(lremovexattr) H(lseek) H(lsetxattr) H(lstat) H(lstat64) H(madvise) H(mbind) H(migrate_pages)
H(mincore) H(mkdir) H(mkdirat) H(mknod) H(mknodat) H(mlock) H(mlockall) H(mmap_pgoff) H(mount) H(move_pages) H(mprotect)
H(mq_getsetattr) H(mq_notify) H(mq_open) H(mq_timedreceive) H(mq_timedsend) H(mq_unlink) H(mremap) H(msgctl) H(msgget) H(msgrcv)
H(msgsnd) H(msync) H(munlock) H(munlockall) H(munmap) H(name_to_handle_at) H(ni_syscall) H(nice) H(old_getrlimit) H(old_mmap)
H(old_readdir) H(old_select) H(oldumount) H(olduname) H(open_by_handle_at) H(pause) H(pciconfig_iobase) H(pciconfig_read)
H(pciconfig_write) H(perf_event_open) H(personality) H(pivot_root) H(poll) H(ppoll) H(prlimit64) H(process_vm_readv)
H(process_vm_writev) H(pselect6) H(ptrace) H(quotactl) H(reboot) H(recvmmsg) H(remap_file_pages) H(removexattr) H(rename)
H(renameat) H(request_key) H(restart_syscall) H(rmdir) H(rt_sigaction) H(rt_sigpending) H(rt_sigprocmask) H(rt_sigqueueinfo)
H(rt_sigtimedwait) H(rt_tgsigqueueinfo) H(sched_get_priority_max) H(sched_get_priority_min) H(sched_getaffinity) H(sched_getparam)
H(sched_getscheduler) H(sched_rr_get_interval) H(sched_setaffinity) H(sched_setparam) H(sched_setscheduler) H(sched_yield) H(select)
H(semctl) H(semget) H(semop) H(semtimedop) H(sendfile) H(sendfile64) H(sendmmsg) H(set_mempolicy) H(set_robust_list)
H(set_tid_address) H(setdomainname) H(setfsgid) H(setfsgid16) H(setfsuid) H(setfsuid16) H(setgid) H(setgid16) H(setgroups)
H(setgroups16) H(sethostname) H(setitimer) H(setns) H(setpgid) H(setpriority) H(setregid) H(setregid16) H(setresgid) H(setresgid16)
H(setresuid) H(setresuid16) H(setreuid) H(setreuid16) H(setrlimit) H(setsid) H(setsockopt) H(settimeofday) H(setuid) H(setuid16)
H(setxattr) H(sgetmask) H(shmat) H(shmctl) H(shmdt) H(shmget) H(sigaction) H(sigaltstack) H(signal) H(signalfd) H(signalfd4)
H(sigpending) H(sigprocmask) H(socketcall) H(socketpair) H(splice) H(spu_create) H(spu_run) H(ssetmask) H(stat) H(stat64) H(statfs)
H(statfs64) H(stime) H(swapoff) H(swapon) H(symlink) H(symlinkat) H(sync) H(syncfs) H(sysctl) H(sysfs) H(sysinfo) H(syslog) H(tee)
H(tgkill) H(time) H(timer_create) H(timer_delete) H(timer_getoverrun) H(timer_gettime) H(timer_settime) H(timerfd_gettime)
H(timerfd_settime) H(times) H(tkill) H(truncate) H(umask) H(umount) H(uname) H(unlink) H(unlinkat) H(unshare) H(uselib) H(ustat)
H(utime) H(utimensat) H(utimes) H(vfork) H(vhangup) H(vmsplice) H(waitid) H(waitpid)

/* Three of the arguments are looked at, at most, each in a register of its own; r: what the system call returned, as the kernel does. */
#define HOOK(name, before, after)                                                                                                       \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(long a, long b, long c);                                                         \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(long a, long b, long c)                                                          \
    {                                                                                                                                   \
        uintptr_t pc = RT_CALLER();                                                                                                     \
        (void)pc, (void)a, (void)b, (void)c;                                                                                            \
        before;                                                                                                                         \
    }                                                                                                                                   \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(long r, long a, long b, long c);                                                \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(long r, long a, long b, long c)                                                 \
    {                                                                                                                                   \
        uintptr_t pc = RT_CALLER();                                                                                                     \
        (void)pc, (void)a, (void)b, (void)c;                                                                                            \
        if (r < 0)                                                                                                                      \
            return;                                                                                                                     \
        after;                                                                                                                          \
    }
#define NOTHING (void)0

/* ---- bytes ---- */

#define IS_READ(at, n)     rt_has_read((const void *)(at), (size_t)(n), pc)
#define IS_WRITTEN(at, n)  rt_has_written((const void *)(at), (size_t)(n), pc)
#define STRING_IS_READ(at) rt_has_read_string((const char *)(at), pc)

static void message_came(long m, long bytes, uintptr_t pc)
{
    const struct msghdr *message = (const struct msghdr *)m;
    rt_vector(message->msg_iov, message->msg_iovlen, (size_t)bytes, rt_write_range, pc);
}

/* fd, at, n */
#define FILLS(name) HOOK(name, FD_USED((int)a), FD_AFTER((int)a); IS_WRITTEN(b, r < c ? r : c)) /* MSG_TRUNC: the message was longer */
#define TAKES(name) HOOK(name, FD_SENDS((int)a, IS_READ(b, c)), NOTHING)
FILLS(read) FILLS(pread64) FILLS(recv) FILLS(recvfrom) FILLS(getdents) FILLS(getdents64)
TAKES(write) TAKES(pwrite64) TAKES(send) TAKES(sendto)

/* fd, vector, n */
#define FILLS_VECTOR(name) HOOK(name, FD_USED((int)a), FD_AFTER((int)a); rt_vector((const struct iovec *)b, (size_t)c, (size_t)r, rt_write_range, pc))
#define TAKES_VECTOR(name) HOOK(name, FD_SENDS((int)a, rt_vector_goes((const struct iovec *)b, (size_t)c, pc)), NOTHING)
FILLS_VECTOR(readv) FILLS_VECTOR(preadv)
TAKES_VECTOR(writev) TAKES_VECTOR(pwritev)
HOOK(recvmsg, FD_USED((int)a), FD_AFTER((int)a); message_came(b, r, pc))
HOOK(sendmsg, FD_SENDS((int)a, rt_message_goes((const struct msghdr *)b, pc)), NOTHING)

HOOK(getrandom, NOTHING, IS_WRITTEN(a, r))
HOOK(getcwd, NOTHING, IS_WRITTEN(a, r))
HOOK(readlink, NOTHING, STRING_IS_READ(a); IS_WRITTEN(b, r))
HOOK(readlinkat, NOTHING, STRING_IS_READ(b); IS_WRITTEN(c, r))
HOOK(newstat, NOTHING, STRING_IS_READ(a); IS_WRITTEN(b, sizeof(struct stat)))
HOOK(newlstat, NOTHING, STRING_IS_READ(a); IS_WRITTEN(b, sizeof(struct stat)))
HOOK(newfstatat, NOTHING, STRING_IS_READ(b); IS_WRITTEN(c, sizeof(struct stat)))
HOOK(newfstat, FD_USED((int)a), IS_WRITTEN(b, sizeof(struct stat)))
HOOK(newuname, NOTHING, IS_WRITTEN(a, sizeof(struct utsname)))
HOOK(clock_gettime, NOTHING, IS_WRITTEN(b, sizeof(struct timespec)))
HOOK(gettimeofday, NOTHING, IS_WRITTEN(a, sizeof(struct timeval)); IS_WRITTEN(b, sizeof(struct timezone)))
HOOK(getrusage, NOTHING, IS_WRITTEN(b, sizeof(struct rusage)))
HOOK(nanosleep, NOTHING, IS_READ(a, sizeof(struct timespec)))
HOOK(wait4, NOTHING, if (r > 0) IS_WRITTEN(b, sizeof(int)))
HOOK(epoll_wait, FD_USED((int)a), FD_AFTER((int)a); IS_WRITTEN(b, (size_t)r * sizeof(struct epoll_event)))

/* ---- descriptors ---- */

static void made(long fd, uintptr_t pc)
{
    RT_ALWAYS(rt_fd_forget((int)fd, (int)fd));
    FD_OPENED((int)fd);
}

static void made_pipe(const int *fd, uintptr_t pc)
{
    int first = fd[0], second = fd[1];
    RT_ALWAYS(rt_fd_pipe(first, second));
    FD_OPENED(first);
    FD_OPENED(second);
    rt_has_written(fd, 2 * sizeof *fd, pc);
}

static void made_event(long fd, uintptr_t pc)
{
    RT_ALWAYS(rt_fd_event((int)fd));
    FD_OPENED((int)fd);
}

#define USES(name)        HOOK(name, FD_USED((int)a), NOTHING)
#define MAKES(name)       HOOK(name, NOTHING, made(r, pc))
#define MAKES_EVENT(name) HOOK(name, NOTHING, made_event(r, pc))
USES(ioctl) USES(bind) USES(listen) USES(connect)
MAKES(socket) MAKES(inotify_init) MAKES(inotify_init1)
MAKES_EVENT(eventfd) MAKES_EVENT(eventfd2) MAKES_EVENT(epoll_create) MAKES_EVENT(epoll_create1) MAKES_EVENT(timerfd_create)
HOOK(open, NOTHING, made(r, pc); STRING_IS_READ(a))
HOOK(creat, NOTHING, made(r, pc); STRING_IS_READ(a))
HOOK(openat, NOTHING, made(r, pc); STRING_IS_READ(b))
HOOK(accept, FD_USED((int)a), made(r, pc); FD_AFTER((int)a))
HOOK(accept4, FD_USED((int)a), made(r, pc); FD_AFTER((int)a))
HOOK(dup, FD_USED((int)a), RT_ALWAYS(rt_fd_copy((int)a, (int)r)); FD_OPENED((int)r))
HOOK(pipe, NOTHING, made_pipe((const int *)a, pc))
HOOK(pipe2, NOTHING, made_pipe((const int *)a, pc))
HOOK(shutdown, FD_USED((int)a); RT_RECORD(t, rt_fd_shut(t, (int)a, pc)), NOTHING)
HOOK(epoll_ctl, FD_USED((int)a); FD_USED((int)c), NOTHING)
HOOK(close, rt_fd_ends((int)a, pc), NOTHING)

/* Another thread that is inside the runtime at that moment would stay there in the child for ever. */
RT_EXPORT void __sanitizer_syscall_pre_impl_fork(void);
RT_EXPORT void __sanitizer_syscall_pre_impl_fork(void) { (void)rt_forks_begin(); }

RT_EXPORT void __sanitizer_syscall_post_impl_fork(long result);
RT_EXPORT void __sanitizer_syscall_post_impl_fork(long result) { rt_forks_end(result == 0); }
