/* SPDX-License-Identifier: Apache-2.0
 *
 * Interceptors of what reads from and writes to descriptors: the order (fd.h) and the ranges in one line each.
 * `fd` names the descriptor; `pc` and the result `r` are at hand in the record.
 */
#ifndef GL_NATIVE_INTERCEPT_FD_H
#define GL_NATIVE_INTERCEPT_FD_H

#include "native/intercept_libc.h" /* first: it says which names of libc are visible */

#include "native/fd.h"

/* What was written before to the descriptor comes before this. */
#define FD_AFTER(fd)                                                                                         \
    do {                                                                                                     \
        if (!rt_fd_plain(fd))                                                                                \
            RT_RECORD(t, rt_fd_acquire(t, fd, pc));                                                          \
    } while (0)
/* This comes before whoever reads from it. */
#define FD_BEFORE(fd)                                                                                        \
    do {                                                                                                     \
        if (!rt_fd_plain(fd))                                                                                \
            RT_RECORD(t, rt_fd_release(t, fd, pc));                                                          \
    } while (0)

/* The number is about to be free, and to stand for something else.  The other end may read the end of the file because of this. */
void rt_fd_ends(int fd, uintptr_t pc);
/* The same without what the other end reads. */
void rt_fd_number_ends(int fd, uintptr_t pc);

/* What a stream over fd holds back may be written now, or by who writes out all streams: both comes after this. */
#define FD_BEFORE_STREAM(fd)                                                                                 \
    do {                                                                                                     \
        if (!rt_fd_plain(fd))                                                                                \
            RT_RECORD(t, rt_fd_release(t, fd, pc); rt_fd_streamed(fd));                                      \
    } while (0)

/* A call is given this number. */
#define FD_USED(fd)                                                                                          \
    do {                                                                                                     \
        if (!rt_is_shared_child())                                                                           \
            rt_fd_used(fd, pc);                                                                              \
    } while (0)

/* to: the call names who gets it, as only sockets do whose answers may come from anywhere. */
#define FD_USED_TO_SEND(fd, to)                                                                              \
    do {                                                                                                     \
        if (!(to) && !rt_is_shared_child())                                                                  \
            rt_fd_used_to_send(fd, pc);                                                                      \
    } while (0)
/* What it takes (`...`) is read before anybody can receive it. */
#define FD_SENDS(fd, ...)                                                                                    \
    do {                                                                                                     \
        FD_USED_TO_SEND(fd, false);                                                                          \
        __VA_ARGS__;                                                                                         \
        FD_BEFORE(fd);                                                                                       \
    } while (0)

/* The real call chose this number for a new descriptor. */
#define FD_OPENED(fd) RT_RECORD(t, rt_fd_opened(t, fd, pc))

/* Makes descriptor r; `what` tells what it stands for. */
#define FD_MAKES(name, params, args, what)                                                                   \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int r = REAL(name) args;                                                                             \
        if (r >= 0) {                                                                                        \
            RT_ALWAYS(what);                                                                                 \
            FD_OPENED(r);                                                                                    \
        }                                                                                                    \
        return r;                                                                                            \
    }

/* Fills memory of the program from fd. */
#define FD_FILLS(ret, name, params, args, record)                                                            \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_USED(fd);                                                                                         \
        ret r = REAL(name) args;                                                                             \
        if (r >= 0)                                                                                          \
            FD_AFTER(fd);                                                                                    \
        if (r > 0)                                                                                           \
            RT_RECORD(t, record);                                                                            \
        return r;                                                                                            \
    }

/* Takes memory of the program to fd. */
#define FD_TAKES(ret, name, params, args, record)                                                            \
    INTERCEPT(ret, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_SENDS(fd, RT_RECORD(t, record));                                                                  \
        return REAL(name) args;                                                                              \
    }

/* So many bytes a call moves of n at most: the kernel stops where memory ends. */
size_t rt_bytes_there(const void *p, size_t n);
/* What a call is about to send, as much of it as the kernel can read and moves at once. */
void rt_bytes_go(struct rt_thread *t, const void *p, size_t n, uintptr_t pc);
/* What is sent by a vector, or by a message: before the call, outside the runtime.  Nothing if the vector cannot be read, which is an error to the kernel. */
struct iovec;
struct msghdr;
void rt_vector_goes(const struct iovec *v, size_t n, uintptr_t pc);
/* What a call sends is read before it is made, when the address may still be wrong: an error to the kernel, a fault to us. */
bool rt_can_read(const struct rt_thread *t, const void *p, size_t n);
void rt_message_goes(const struct msghdr *m, uintptr_t pc);
/* The ranges of a vector of which `moved` bytes were filled, or taken to where nobody learns of them: outside the runtime, after success. */
typedef void rt_record_range(struct rt_thread *, const void *, size_t, uintptr_t);
void rt_vector(const struct iovec *v, size_t n, size_t moved, rt_record_range *record, uintptr_t pc);

#endif
