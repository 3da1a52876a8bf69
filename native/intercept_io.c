/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading and writing of descriptors: what the kernel reads from and writes to the program's memory, and the
 * order that pipes and their kin bring (fd.h).  A buffer that is written out is recorded before the call, and before the order that
 * the call brings: who receives the bytes may use the buffer again.  One that is filled is recorded after it, by the length that came.
 */
#include "native/intercept_fd.h"

#include <limits.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "platform/platform.h"

/* A signalfd tells of signals that somebody sent. */
static void signals_came(const struct signalfd_siginfo *info, size_t bytes, uintptr_t pc)
{
    for (size_t i = 0; i < bytes / sizeof *info; i++)
        rt_signal_came((int)info[i].ssi_signo, info[i].ssi_code, (int)info[i].ssi_pid, pc);
}

static ssize_t has_read(int fd, void *p, ssize_t r, uintptr_t pc)
{
    if (r >= 0)
        FD_AFTER(fd);
    if (r > 0) {
        RT_RECORD(t, rt_write_range(t, p, (size_t)r, pc));
        if (rt_fd_is_signals(fd))
            signals_came(p, (size_t)r, pc);
    }
    return r;
}

INTERCEPT(ssize_t, read, (int fd, void *p, size_t n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    return has_read(fd, p, REAL(read)(fd, p, n), pc);
}

/* As compiled with _FORTIFY_SOURCE. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
INTERCEPT(ssize_t, __read_chk, (int fd, void *p, size_t n, size_t room))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    return has_read(fd, p, REAL(__read_chk)(fd, p, n, room), pc);
}

#define BYTES_MOST 0x7FFFF000u /* more are not moved: MAX_RW_COUNT */
#define BYTES_FEW  0x10000u    /* of so many nobody is asked whether they are there */

size_t rt_bytes_there(const void *p, size_t n)
{
    uintptr_t from = (uintptr_t)p, at = from;
    if (n > SSIZE_MAX) /* an error */
        return 0;
    n = n < BYTES_MOST ? n : BYTES_MOST;
    if (n <= BYTES_FEW || gl_os_is_readable(from + n - 1, 1))
        return n;
    while (at - from < n && gl_os_is_readable(at, 1))
        at = (at | 4095) + 1;
    return at - from < n ? at - from : n;
}

void rt_bytes_go(struct rt_thread *t, const void *p, size_t n, uintptr_t pc)
{
    rt_read_range(t, p, rt_bytes_there(p, n), pc);
}

#define FILLED rt_write_range(t, p, (size_t)r, pc)

FD_FILLS(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), FILLED)
FD_FILLS(ssize_t, pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at), FILLED)
FD_FILLS(ssize_t, __pread_chk, (int fd, void *p, size_t n, off_t at, size_t room), (fd, p, n, at, room),
         FILLED)
FD_FILLS(ssize_t, __pread64_chk, (int fd, void *p, size_t n, off64_t at, size_t room), (fd, p, n, at, room),
         FILLED)

FD_TAKES(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), rt_bytes_go(t, p, n, pc))
FD_TAKES(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at),
         rt_bytes_go(t, p, n, pc))
FD_TAKES(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at),
         rt_bytes_go(t, p, n, pc))

INTERCEPT(int, eventfd_read, (int fd, eventfd_t *value))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(eventfd_read)(fd, value);
    if (r == 0) {
        FD_AFTER(fd);
        RT_RECORD(t, rt_write_range(t, value, sizeof *value, pc));
    }
    return r;
}

INTERCEPT(int, eventfd_write, (int fd, eventfd_t value))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    FD_BEFORE(fd);
    return REAL(eventfd_write)(fd, value);
}

/* ---- vectors ---- */

#define PARTS_MOST 1024u /* more are an error: UIO_MAXIOV of the kernel */

/* The vector itself is read too.  Only after success: until then its address may be wrong, which is an error to
 * the kernel and would be a fault to us. */
void rt_vector(const struct iovec *v, size_t n, size_t moved, rt_record_range *record, uintptr_t pc)
{
    RT_RECORD(t, rt_read_range(t, v, n * sizeof *v, pc));
    for (size_t i = 0; i < n && moved; i++) {
        struct iovec part = v[i];
        size_t length = part.iov_len < moved ? part.iov_len : moved;
        RT_RECORD(t, record(t, part.iov_base, length, pc));
        moved -= length;
    }
}

/* What lies on the caller's stack needs no question, unless the caller is on another one. */
bool rt_can_read(const struct rt_thread *t, const void *p, size_t n)
{
    uintptr_t a = (uintptr_t)p, frame = (uintptr_t)__builtin_frame_address(0);
    return (frame >= t->stack_lo && a > frame && a < t->stack_hi && n <= t->stack_hi - a) || gl_os_is_readable(a, n);
}

void rt_vector_goes(const struct iovec *v, size_t n, uintptr_t pc)
{
    bool there = false;
    if (n == 0 || n > PARTS_MOST)
        return;
    RT_RECORD(t, there = rt_can_read(t, v, n * sizeof *v); if (there) rt_read_range(t, v, n * sizeof *v, pc));
    for (size_t i = 0, left = BYTES_MOST; there && i < n && left; i++) {
        struct iovec part = v[i];
        if (part.iov_len > SSIZE_MAX) /* an error */
            return;
        size_t length = part.iov_len < left ? part.iov_len : left;
        RT_RECORD(t, rt_bytes_go(t, part.iov_base, length, pc));
        left -= length;
    }
}

/* So many bytes were read, wherever one part ends. */
static void signals_came_in_parts(const struct iovec *v, size_t bytes, uintptr_t pc)
{
    struct signalfd_siginfo info;
    for (size_t at = 0, n = 0; bytes; at = 0, v++)
        for (; at < v->iov_len && bytes; at++, bytes--) {
            ((char *)&info)[n++] = ((const char *)v->iov_base)[at];
            if (n == sizeof info)
                signals_came(&info, n, pc), n = 0;
        }
}

#define READS_VECTOR(name, params, args)                                                                     \
    INTERCEPT(ssize_t, name, params)                                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_USED(fd);                                                                                         \
        ssize_t r = REAL(name) args;                                                                         \
        if (r >= 0) {                                                                                        \
            FD_AFTER(fd);                                                                                    \
            rt_vector(v, (size_t)n, (size_t)r, rt_write_range, pc);                                          \
            if (rt_fd_is_signals(fd))                                                                        \
                signals_came_in_parts(v, (size_t)r, pc);                                                     \
        }                                                                                                    \
        return r;                                                                                            \
    }

#define WRITES_VECTOR(name, params, args)                                                                    \
    INTERCEPT(ssize_t, name, params)                                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_SENDS(fd, rt_vector_goes(v, (size_t)n, pc));                                                      \
        return REAL(name) args;                                                                              \
    }

typedef const struct iovec *vector;

READS_VECTOR(readv, (int fd, vector v, int n), (fd, v, n))
READS_VECTOR(preadv, (int fd, vector v, int n, off_t at), (fd, v, n, at))
READS_VECTOR(preadv64, (int fd, vector v, int n, off64_t at), (fd, v, n, at))
READS_VECTOR(preadv2, (int fd, vector v, int n, off_t at, int flags), (fd, v, n, at, flags))
READS_VECTOR(preadv64v2, (int fd, vector v, int n, off64_t at, int flags), (fd, v, n, at, flags))
WRITES_VECTOR(writev, (int fd, vector v, int n), (fd, v, n))
WRITES_VECTOR(pwritev, (int fd, vector v, int n, off_t at), (fd, v, n, at))
WRITES_VECTOR(pwritev64, (int fd, vector v, int n, off64_t at), (fd, v, n, at))
WRITES_VECTOR(pwritev2, (int fd, vector v, int n, off_t at, int flags), (fd, v, n, at, flags))
WRITES_VECTOR(pwritev64v2, (int fd, vector v, int n, off64_t at, int flags), (fd, v, n, at, flags))
