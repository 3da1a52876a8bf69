/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of sanitizer/linux_syscall_hooks.h, by which a program tells of the system calls that it makes itself, before
 * (`pre`) and after (`post`): libuv does of close.  What they say of memory is not checked; what orders is the number of a descriptor
 * that is closed.
 */
#include "native/intercept_fd.h"

/* They are given what the system call is given; nothing looks at it. */
#define H(name)                                                                                                                         \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(void);                                                                           \
    RT_EXPORT void __sanitizer_syscall_pre_impl_##name(void) {}                                                                         \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(void);                                                                          \
    RT_EXPORT void __sanitizer_syscall_post_impl_##name(void) {}

H(accept) H(accept4) H(access) H(acct) H(add_key) H(adjtimex) H(alarm) H(bdflush) H(bind) H(brk) H(capget) H(capset) H(chdir)
H(chmod) H(chown) H(chown16) H(chroot) H(clock_adjtime) H(clock_getres) H(clock_gettime) H(clock_nanosleep) H(clock_settime)
H(connect) H(creat) H(delete_module) H(dup) H(dup2) H(dup3) H(epoll_create) H(epoll_create1) H(epoll_ctl) H(epoll_pwait)
H(epoll_pwait2) H(epoll_wait) H(eventfd) H(eventfd2) H(exit) H(exit_group) H(faccessat) H(fanotify_init) H(fanotify_mark) H(fchdir)
H(fchmod) H(fchmodat) H(fchown) H(fchown16) H(fchownat) H(fcntl) H(fcntl64) H(fdatasync) H(fgetxattr) H(flistxattr) H(flock)
H(fremovexattr) H(fsetxattr) H(fstat) H(fstat64) H(fstatat64) H(fstatfs) H(fstatfs64) H(fsync) H(ftruncate) H(futex)
H(futimesat) H(get_mempolicy) H(get_robust_list) H(getcpu) H(getcwd) H(getdents) H(getdents64) H(getegid) H(getegid16) H(geteuid)
H(geteuid16) H(getgid) H(getgid16) H(getgroups) H(getgroups16) H(gethostname) H(getitimer) H(getpeername) H(getpgid) H(getpgrp)
H(getpid) H(getppid) H(getpriority) H(getrandom) H(getresgid) H(getresgid16) H(getresuid) H(getresuid16) H(getrlimit) H(getrusage)
H(getsid) H(getsockname) H(getsockopt) H(gettid) H(gettimeofday) H(getuid) H(getuid16) H(getxattr) H(init_module)
H(inotify_add_watch) H(inotify_init) H(inotify_init1) H(inotify_rm_watch) H(io_cancel) H(io_destroy) H(io_getevents) H(io_setup)
H(io_submit) H(ioctl) H(ioperm) H(ioprio_get) H(ioprio_set) H(ipc) H(kexec_load) H(keyctl) H(kill) H(lchown) H(lchown16)
H(lgetxattr) H(link) H(linkat) H(listen) H(listxattr) H(llistxattr) H(llseek) H(lookup_dcookie) H(lremovexattr) H(lseek)
H(lsetxattr) H(lstat) H(lstat64) H(madvise) H(mbind) H(migrate_pages) H(mincore) H(mkdir) H(mkdirat) H(mknod) H(mknodat) H(mlock)
H(mlockall) H(mmap_pgoff) H(mount) H(move_pages) H(mprotect) H(mq_getsetattr) H(mq_notify) H(mq_open) H(mq_timedreceive)
H(mq_timedsend) H(mq_unlink) H(mremap) H(msgctl) H(msgget) H(msgrcv) H(msgsnd) H(msync) H(munlock) H(munlockall) H(munmap)
H(name_to_handle_at) H(nanosleep) H(newfstat) H(newfstatat) H(newlstat) H(newstat) H(newuname) H(ni_syscall) H(nice)
H(old_getrlimit) H(old_mmap) H(old_readdir) H(old_select) H(oldumount) H(olduname) H(open) H(open_by_handle_at) H(openat) H(pause)
H(pciconfig_iobase) H(pciconfig_read) H(pciconfig_write) H(perf_event_open) H(personality) H(pipe) H(pipe2) H(pivot_root) H(poll)
H(ppoll) H(pread64) H(preadv) H(prlimit64) H(process_vm_readv) H(process_vm_writev) H(pselect6) H(ptrace) H(pwrite64) H(pwritev)
H(quotactl) H(read) H(readlink) H(readlinkat) H(readv) H(reboot) H(recv) H(recvfrom) H(recvmmsg) H(recvmsg) H(remap_file_pages)
H(removexattr) H(rename) H(renameat) H(request_key) H(restart_syscall) H(rmdir) H(rt_sigaction) H(rt_sigpending) H(rt_sigprocmask)
H(rt_sigqueueinfo) H(rt_sigtimedwait) H(rt_tgsigqueueinfo) H(sched_get_priority_max) H(sched_get_priority_min) H(sched_getaffinity)
H(sched_getparam) H(sched_getscheduler) H(sched_rr_get_interval) H(sched_setaffinity) H(sched_setparam) H(sched_setscheduler)
H(sched_yield) H(select) H(semctl) H(semget) H(semop) H(semtimedop) H(send) H(sendfile) H(sendfile64) H(sendmmsg) H(sendmsg)
H(sendto) H(set_mempolicy) H(set_robust_list) H(set_tid_address) H(setdomainname) H(setfsgid) H(setfsgid16) H(setfsuid)
H(setfsuid16) H(setgid) H(setgid16) H(setgroups) H(setgroups16) H(sethostname) H(setitimer) H(setns) H(setpgid) H(setpriority)
H(setregid) H(setregid16) H(setresgid) H(setresgid16) H(setresuid) H(setresuid16) H(setreuid) H(setreuid16) H(setrlimit) H(setsid)
H(setsockopt) H(settimeofday) H(setuid) H(setuid16) H(setxattr) H(sgetmask) H(shmat) H(shmctl) H(shmdt) H(shmget) H(shutdown)
H(sigaction) H(sigaltstack) H(signal) H(signalfd) H(signalfd4) H(sigpending) H(sigprocmask) H(socket) H(socketcall) H(socketpair)
H(splice) H(spu_create) H(spu_run) H(ssetmask) H(stat) H(stat64) H(statfs) H(statfs64) H(stime) H(swapoff) H(swapon) H(symlink)
H(symlinkat) H(sync) H(syncfs) H(sysctl) H(sysfs) H(sysinfo) H(syslog) H(tee) H(tgkill) H(time) H(timer_create) H(timer_delete)
H(timer_getoverrun) H(timer_gettime) H(timer_settime) H(timerfd_create) H(timerfd_gettime) H(timerfd_settime) H(times) H(tkill)
H(truncate) H(umask) H(umount) H(uname) H(unlink) H(unlinkat) H(unshare) H(uselib) H(ustat) H(utime) H(utimensat) H(utimes)
H(vfork) H(vhangup) H(vmsplice) H(wait4) H(waitid) H(waitpid) H(write) H(writev)

RT_EXPORT void __sanitizer_syscall_pre_impl_close(long fd);
RT_EXPORT void __sanitizer_syscall_pre_impl_close(long fd) { rt_fd_ends((int)fd, RT_CALLER()); }

RT_EXPORT void __sanitizer_syscall_post_impl_close(long result, long fd);
RT_EXPORT void __sanitizer_syscall_post_impl_close(long result, long fd)
{
    (void)result;
    (void)fd;
}

/* Another thread that is inside the runtime at that moment would stay there in the child for ever. */
RT_EXPORT void __sanitizer_syscall_pre_impl_fork(void);
RT_EXPORT void __sanitizer_syscall_pre_impl_fork(void) { (void)rt_forks_begin(); }

RT_EXPORT void __sanitizer_syscall_post_impl_fork(long result);
RT_EXPORT void __sanitizer_syscall_post_impl_fork(long result) { rt_forks_end(result == 0); }
