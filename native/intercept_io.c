/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffers of input and output: what the kernel or stdio reads from and writes to the program's
 * memory.  A buffer that is written out is recorded before the call, one that is filled after it, by the
 * length that came.  Nothing here orders anything: bytes that travel through a pipe or socket are not a
 * synchronization to us.
 */
#include "native/intercept_libc.h"

#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILLS(ret, name, params, args, got)                                                                  \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ret r = REAL(name) args;                                                                             \
        if (r > 0)                                                                                           \
            RT_RECORD(t, rt_write_range(t, p, got, pc));                                                     \
        return r;                                                                                            \
    }

#define TAKES(ret, name, params, args, from, given)                                                          \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        size_t length = given;                                                                               \
        RT_RECORD(t, rt_read_range(t, from, length, pc));                                                    \
        return REAL(name) args;                                                                              \
    }

/* With MSG_TRUNC recv returns how long the message was, not how much of it came. */
#define CAME ((size_t)r < n ? (size_t)r : n)

FILLS(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), (size_t)r)
FILLS(ssize_t, pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at), (size_t)r)
FILLS(ssize_t, pread64, (int fd, void *p, size_t n, off64_t at), (fd, p, n, at), (size_t)r)
FILLS(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags), CAME)
FILLS(size_t, fread, (void *restrict p, size_t size, size_t n, FILE *restrict f), (p, size, n, f), (r * size))

TAKES(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), p, n)
TAKES(ssize_t, pwrite, (int fd, const void *p, size_t n, off_t at), (fd, p, n, at), p, n)
TAKES(ssize_t, pwrite64, (int fd, const void *p, size_t n, off64_t at), (fd, p, n, at), p, n)
TAKES(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), p, n)
TAKES(size_t, fwrite, (const void *restrict p, size_t size, size_t n, FILE *restrict f), (p, size, n, f), p,
      (size * n))
TAKES(int, fputs, (const char *restrict s, FILE *restrict f), (s, f), s, rt_string_length(s) + 1)
TAKES(int, puts, (const char *s), (s), s, rt_string_length(s) + 1)

INTERCEPT(char *, fgets, (char *restrict s, int n, FILE *restrict f))
{
    uintptr_t pc = RT_CALLER();
    char *r = REAL(fgets)(s, n, f);
    if (r) {
        size_t length = rt_string_length(r) + 1;
        RT_RECORD(t, rt_write_range(t, r, length, pc));
    }
    return r;
}

typedef void record_range(struct rt_thread *, const void *, size_t, uintptr_t);

/* The vector itself is read too.  Only after success: until then its address may be wrong, which is an error to
 * the kernel and would be a fault to us. */
static void vector(const struct iovec *v, int n, size_t moved, record_range *record, uintptr_t pc)
{
    RT_RECORD(t, rt_read_range(t, v, (size_t)n * sizeof *v, pc));
    for (int i = 0; i < n && moved; i++) {
        struct iovec part = v[i];
        size_t length = part.iov_len < moved ? part.iov_len : moved;
        RT_RECORD(t, record(t, part.iov_base, length, pc));
        moved -= length;
    }
}

#define VECTOR(name, record)                                                                                 \
    INTERCEPT(ssize_t, name, (int fd, const struct iovec *v, int n))                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        ssize_t r = REAL(name)(fd, v, n);                                                                    \
        if (r >= 0)                                                                                          \
            vector(v, n, (size_t)r, record, pc);                                                             \
        return r;                                                                                            \
    }

VECTOR(readv, rt_write_range)
VECTOR(writev, rt_read_range)
