/* SPDX-License-Identifier: Apache-2.0
 *
 * Files by descriptor and the process itself.  Interrupted calls are repeated here, so that no
 * caller sees -EINTR.
 */
#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "platform/linux/syscall.h"

enum { HIGH_FD = 600 }; /* programs that count on low numbers, or close all up to some number, mostly stay below */

int gl_os_moved_up(int fd)
{
    long high = gl_syscall3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, HIGH_FD);
    if (high < 0)
        return fd; /* the limit is lower */
    gl_os_close(fd);
    return (int)high;
}

int gl_os_open_append(const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
    long fd;
    do
        fd = gl_syscall4(SYS_openat, AT_FDCWD, path, flags, 0644);
    while (fd == -EINTR);
    return fd < 0 ? (int)fd : gl_os_moved_up((int)fd);
}

int gl_os_write_error(const char *path) { return (int)-gl_syscall4(SYS_faccessat, AT_FDCWD, path, W_OK, 0); }

bool gl_os_file_of(int fd, struct gl_os_file *out)
{
    struct stat st;
    if (gl_syscall2(SYS_fstat, fd, &st) != 0)
        return false;
    *out = (struct gl_os_file){st.st_dev, st.st_ino};
    return true;
}

int gl_os_open_new(const char *path)
{
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
    struct stat st;
    long fd;
    do
        fd = gl_syscall4(SYS_openat, AT_FDCWD, path, flags | O_EXCL, 0644);
    while (fd == -EINTR);
    if (fd == -EEXIST) { /* a file is left alone */
        do
            fd = gl_syscall4(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
        while (fd == -EINTR);
        if (fd >= 0 && (gl_syscall2(SYS_fstat, fd, &st) != 0 || S_ISREG(st.st_mode))) {
            gl_os_close((int)fd);
            fd = -EEXIST;
        }
    }
    return fd < 0 ? (int)fd : gl_os_moved_up((int)fd);
}

const void *gl_os_map_file(const char *path, size_t *size)
{
    struct stat st;
    void *map = NULL;
    long fd;
    do
        fd = gl_syscall4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    while (fd == -EINTR);
    if (fd < 0)
        return NULL;
    if (gl_syscall2(SYS_fstat, fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        enum { PROT_R = 1, PRIVATE = 2 };
        long p = gl_syscall6(SYS_mmap, 0, st.st_size, PROT_R, PRIVATE, fd, 0);
        if (!gl_syscall_failed(p)) {
            map = (void *)p;
            *size = (size_t)st.st_size;
        }
    }
    gl_os_close((int)fd);
    return map;
}

int gl_os_truncate(int fd, uint64_t size)
{
    long r;
    do
        r = gl_syscall2(SYS_ftruncate, fd, size);
    while (r == -EINTR);
    if (r == 0)
        r = gl_syscall3(SYS_lseek, fd, size, SEEK_SET);
    return r < 0 ? (int)r : 0;
}

long gl_os_write(int fd, const void *p, size_t n)
{
    size_t done = 0;
    while (done < n) {
        long r = gl_syscall3(SYS_write, fd, (const char *)p + done, n - done);
        if (r >= 0) {
            done += (size_t)r;
        } else if (r == -EAGAIN) {
            /* The program made its descriptor non-blocking; a report must still come out whole. */
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            gl_syscall6(SYS_ppoll, (long)&ready, 1, 0, 0, 0, 0);
        } else if (r != -EINTR) {
            return r;
        }
    }
    return (long)n;
}

/* Blocked while we write, and taken away when it was our write that raised them. */
long gl_os_write_quietly(int fd, const void *p, size_t n)
{
    uint64_t both = 1ull << (SIGPIPE - 1) | 1ull << (SIGXFSZ - 1), was = 0, pending = 0;
    struct timespec now = {0};
    gl_syscall4(SYS_rt_sigprocmask, SIG_BLOCK, &both, &was, sizeof was);
    gl_syscall2(SYS_rt_sigpending, &pending, sizeof pending);
    long r = gl_os_write(fd, p, n);
    uint64_t ours = both & ~pending;
    if (r < 0 && ours)
        gl_syscall4(SYS_rt_sigtimedwait, &ours, 0, &now, sizeof ours);
    gl_syscall4(SYS_rt_sigprocmask, SIG_SETMASK, &was, 0, sizeof was);
    return r;
}

const char *gl_os_error(int error)
{
    switch (error) {
    case ENOENT: return "there is no such file or folder";
    case EACCES:
    case EPERM: return "it is not permitted";
    case EROFS: return "nothing can be written there";
    case ENOTDIR: return "a part of the path is no folder";
    case EISDIR: return "it is a folder";
    case ENOSPC:
    case EDQUOT: return "the disk is full";
    case EFBIG: return "it may not be larger";
    case EBADF: return "it is closed";
    case EPIPE: return "nobody reads it";
    default: return "the system refuses";
    }
}

void gl_os_close(int fd)
{
    gl_syscall1(SYS_close, fd); /* never repeated: Linux frees the descriptor even when it says EINTR */
}

static uint32_t own_files; /* tid of the thread that has them */

uint32_t gl_os_files(void)
{
    uint32_t self = gl_os_tid();
    /* relaxed: only we write our own id */
    return __atomic_load_n(&own_files, __ATOMIC_RELAXED) == self ? self : 0;
}

bool gl_os_own_files(const int *kept, unsigned n)
{
    unsigned from = n ? (unsigned)kept[n - 1] + 1 : 0;
    if (gl_syscall3(SYS_close_range, from, ~0u, CLOSE_RANGE_UNSHARE) < 0)
        return false;
    for (; n > 0; n--) {
        unsigned lo = n > 1 ? (unsigned)kept[n - 2] + 1 : 0, hi = (unsigned)kept[n - 1];
        if (lo < hi)
            (void)gl_syscall3(SYS_close_range, lo, hi - 1, 0);
    }
    __atomic_store_n(&own_files, gl_os_tid(), __ATOMIC_RELAXED);
    return true;
}

bool gl_os_isatty(int fd)
{
    char termios[256]; /* more than any kernel's */
    long tcgets = 0x5401;
    return gl_syscall3(SYS_ioctl, fd, tcgets, termios) == 0;
}

uint32_t gl_os_pid(void)
{
    return (uint32_t)gl_syscall0(SYS_getpid);
}

uint32_t gl_os_tid(void)
{
    return (uint32_t)gl_syscall0(SYS_gettid);
}

_Noreturn void gl_os_exit_group(int code)
{
    for (;;)
        gl_syscall1(SYS_exit_group, code);
}

void gl_os_raise(int sig)
{
    gl_syscall3(SYS_tgkill, gl_os_pid(), gl_os_tid(), sig);
}

/* Field 28 of /proc/self/stat; the second, the program's name, may hold anything but ends with the last parenthesis. */
uintptr_t gl_os_stack_top(void)
{
    char text[2048];
    long n = gl_os_read_file("/proc/self/stat", text, sizeof text);
    const char *s = NULL;
    for (long i = 0; i < n; i++)
        if (text[i] == ')')
            s = text + i;
    uintptr_t top = 0;
    for (int field = 2; s && field < 28; field++) {
        do
            s++;
        while (*s && *s != ' ');
        if (!*s)
            return 0;
    }
    for (; s && s[1] >= '0' && s[1] <= '9'; s++)
        top = top * 10 + (uintptr_t)(s[1] - '0');
    return top;
}

bool gl_os_signal_stack_left(uintptr_t sp, uintptr_t *low, size_t *bytes)
{
    stack_t alternate;
    if (gl_syscall2(SYS_sigaltstack, NULL, &alternate) != 0 || !(alternate.ss_flags & SS_ONSTACK))
        return false;
    *low = (uintptr_t)alternate.ss_sp;
    *bytes = alternate.ss_size;
    return sp - *low >= *bytes;
}

bool gl_os_stack_left(uintptr_t frame, uintptr_t sp)
{
    uintptr_t low;
    size_t bytes;
    if (gl_os_signal_stack_left(sp, &low, &bytes) && frame - low < bytes)
        return true; /* from there to the normal stack */
    return sp >= frame;
}

bool gl_os_frame_gone(uintptr_t frame)
{
    stack_t alternate;
    uintptr_t sp = (uintptr_t)__builtin_frame_address(0);
    bool known = gl_syscall2(SYS_sigaltstack, NULL, &alternate) == 0 && !(alternate.ss_flags & SS_DISABLE);
    bool was_there = known && frame - (uintptr_t)alternate.ss_sp < alternate.ss_size, is_there = known && alternate.ss_flags & SS_ONSTACK;
    return was_there != is_there ? was_there : sp >= frame; /* to the alternate stack a handler leads, from within another */
}

long gl_os_read_file(const char *path, char *buf, size_t cap)
{
    if (cap == 0)
        return -EINVAL;
    buf[0] = 0;
    long fd;
    do
        fd = gl_syscall4(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    while (fd == -EINTR);
    if (fd < 0)
        return fd;
    size_t n = 0;
    long r;
    /* Files in /proc give a part at a time and know no size. */
    while ((r = gl_syscall3(SYS_read, fd, buf + n, cap - n)) > 0 || r == -EINTR) {
        n += r > 0 ? (size_t)r : 0;
        if (n == cap) {
            r = -EFBIG;
            break;
        }
    }
    gl_os_close((int)fd);
    buf[n < cap ? n : cap - 1] = 0;
    return r < 0 ? r : (long)n;
}

/* Its lines begin "low-high rwxs". */
bool gl_os_is_shared(uintptr_t p, bool unknown)
{
    enum { LOW, HIGH, FLAGS, REST, LAST_FLAG = 4 } at = LOW;
    char buf[512]; /* of a thread that may have little stack */
    uintptr_t bound[2] = {0, 0};
    int flags = 0;
    bool shared = false, found = false;
    long fd = gl_syscall4(SYS_openat, AT_FDCWD, "/proc/self/maps", O_RDONLY | O_CLOEXEC, 0), n;
    if (fd < 0)
        return unknown;
    while (!found && ((n = gl_syscall3(SYS_read, fd, buf, sizeof buf)) > 0 || n == -EINTR))
        for (long i = 0; i < n && !found; i++) {
            char c = buf[i];
            if (c == '\n') {
                at = LOW;
                bound[LOW] = bound[HIGH] = 0;
                flags = 0;
            } else if (at == FLAGS && ++flags == LAST_FLAG) {
                found = p - bound[LOW] < bound[HIGH] - bound[LOW];
                shared = found && c == 's';
                at = REST;
            } else if (at == LOW || at == HIGH) {
                if (c == '-' || c == ' ')
                    at++;
                else
                    bound[at] = bound[at] << 4 | (uintptr_t)(c <= '9' ? c - '0' : c - 'a' + 10);
            }
        }
    gl_os_close((int)fd);
    return shared;
}

bool gl_os_exists(const char *path)
{
    return gl_syscall3(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

bool gl_os_executes(const char *path)
{
    struct stat st;
    return gl_syscall4(SYS_newfstatat, AT_FDCWD, path, &st, 0) == 0 && S_ISREG(st.st_mode) && gl_syscall3(SYS_faccessat, AT_FDCWD, path, X_OK) == 0;
}

long gl_os_readlink(const char *path, char *buf, size_t cap)
{
    if (cap == 0)
        return -EINVAL;
    long n = gl_syscall4(SYS_readlinkat, AT_FDCWD, path, buf, cap);
    if (n == (long)cap)
        n = -ENAMETOOLONG; /* the kernel cuts silently */
    buf[n < 0 ? 0 : n] = 0;
    return n;
}

const char *gl_os_executable(void)
{
    char first; /* it is longer than that */
    const char *usual = "/proc/self/exe";
    return gl_os_readlink(usual, &first, 1) == -ENAMETOOLONG ? usual : "/proc/thread-self/exe";
}

bool gl_os_one_thread(void)
{
    struct stat tasks; /* a link for each thread, and two more */
    return gl_syscall_failed(gl_syscall4(SYS_newfstatat, AT_FDCWD, (long)"/proc/self/task", (long)&tasks, 0)) || tasks.st_nlink <= 3;
}
