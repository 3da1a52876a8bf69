/* SPDX-License-Identifier: Apache-2.0
 *
 * Sockets: connections, messages, addresses and options.
 */
#include "native/intercept_fd.h"

#include <limits.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* ---- connections ---- */

FD_MAKES(socket, (int domain, int type, int protocol), (domain, type, protocol), rt_fd_forget(r, r))

INTERCEPT(int, socketpair, (int domain, int type, int protocol, int fd[2]))
{
    uintptr_t pc = RT_CALLER();
    int r = REAL(socketpair)(domain, type, protocol, fd);
    if (r == 0) {
        RT_ALWAYS(rt_fd_pair(fd[0], fd[1]));
        FD_OPENED(fd[0]);
        FD_OPENED(fd[1]);
        RT_RECORD(t, rt_write_range(t, fd, 2 * sizeof *fd, pc));
    }
    return r;
}

/* The kernel refuses longer ones, and looks at none of no bytes. */
static bool can_read_address(const struct rt_thread *t, const void *a, socklen_t n)
{
    return n && n <= sizeof(struct sockaddr_storage) && rt_can_read(t, a, n);
}

INTERCEPT(int, connect, (int fd, const struct sockaddr *to, socklen_t n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    RT_RECORD(t, if (can_read_address(t, to, n)) {
        rt_read_range(t, to, n, pc);
        rt_fd_connecting(t, fd, to, n, pc);
    });
    return REAL(connect)(fd, to, n);
}

/* How much of an address there is room for: before the call, when *n may still be wrong. */
static socklen_t room_for(const void *address, const socklen_t *n)
{
    bool there = false;
    if (address && n)
        RT_RECORD(t, there = rt_can_read(t, n, sizeof *n));
    return there ? *n : 0;
}

/* Both are filled when the caller asks for the address; *n says how long it is, also where there was less room. */
static void address_came(const void *address, const socklen_t *n, socklen_t room, uintptr_t pc)
{
    if (!address || !n)
        return;
    socklen_t length = *n < room ? *n : room;
    RT_RECORD(t, rt_write_range(t, address, length, pc); rt_write_range(t, n, sizeof *n, pc));
}

static int accepted(int fd, int r, const struct sockaddr *from, const socklen_t *n, socklen_t room, uintptr_t pc)
{
    if (r < 0)
        return r;
    RT_ALWAYS(rt_fd_forget(r, r));
    FD_OPENED(r);
    FD_AFTER(fd);
    address_came(from, n, room, pc);
    return r;
}

INTERCEPT(int, accept, (int fd, struct sockaddr *restrict from, socklen_t *restrict n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t room = room_for(from, n);
    return accepted(fd, REAL(accept)(fd, from, n), from, n, room, pc);
}

INTERCEPT(int, accept4, (int fd, struct sockaddr *restrict from, socklen_t *restrict n, int flags))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t room = room_for(from, n);
    return accepted(fd, REAL(accept4)(fd, from, n, flags), from, n, room, pc);
}

/* The other end reads the end of the file, and so does who reads at this one. */
INTERCEPT(int, shutdown, (int fd, int how))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    RT_RECORD(t, rt_fd_shut(t, fd, pc));
    return REAL(shutdown)(fd, how);
}

/* What the descriptor reads may be another's from here on. */
INTERCEPT(int, bind, (int fd, const struct sockaddr *at, socklen_t n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(bind)(fd, at, n);
    if (r == 0) {
        RT_ALWAYS(rt_fd_changed(fd); rt_fd_bound(at, n));
        RT_RECORD(t, rt_read_range(t, at, n, pc));
    }
    return r;
}

INTERCEPT(int, listen, (int fd, int waiting))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(listen)(fd, waiting);
    if (r == 0)
        RT_ALWAYS(rt_fd_changed(fd));
    return r;
}

/* ---- bytes ---- */

/* With MSG_TRUNC it is returned how long the message was, not how much of it came; and TCP, which has none, throws the bytes away. */
static size_t bytes_came(int fd, ssize_t r, size_t n, int flags)
{
    if ((flags & MSG_TRUNC) && rt_fd_is_tcp(fd))
        return 0;
    return (size_t)r < n ? (size_t)r : n;
}

FD_FILLS(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
         rt_write_range(t, p, bytes_came(fd, r, n, flags), pc))
FD_FILLS(ssize_t, __recv_chk, (int fd, void *p, size_t n, size_t room, int flags), (fd, p, n, room, flags),
         rt_write_range(t, p, bytes_came(fd, r, n, flags), pc))
/* What is too long for write() is cut here, and no error. */
#define CUT(n) ((n) < SSIZE_MAX ? (n) : SSIZE_MAX)

FD_TAKES(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags),
         rt_bytes_go(t, p, CUT(n), pc))

static ssize_t received(int fd, ssize_t r, void *p, size_t n, int flags, const struct sockaddr *from, const socklen_t *m,
                        socklen_t room, uintptr_t pc)
{
    if (r < 0)
        return r;
    FD_AFTER(fd);
    RT_RECORD(t, rt_write_range(t, p, bytes_came(fd, r, n, flags), pc));
    address_came(from, m, room, pc);
    return r;
}

INTERCEPT(ssize_t, recvfrom,
          (int fd, void *restrict p, size_t n, int flags, struct sockaddr *restrict from,
           socklen_t *restrict m))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t room = room_for(from, m);
    return received(fd, REAL(recvfrom)(fd, p, n, flags, from, m), p, n, flags, from, m, room, pc);
}

ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags, struct sockaddr *from,
                       socklen_t *m);
INTERCEPT(ssize_t, __recvfrom_chk,
          (int fd, void *p, size_t n, size_t room, int flags, struct sockaddr *from, socklen_t *m))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t name = room_for(from, m);
    return received(fd, REAL(__recvfrom_chk)(fd, p, n, room, flags, from, m), p, n, flags, from, m, name, pc);
}

INTERCEPT(ssize_t, sendto,
          (int fd, const void *p, size_t n, int flags, const struct sockaddr *to, socklen_t m))
{
    uintptr_t pc = RT_CALLER();
    const struct sockaddr *name = m ? to : NULL;
    FD_USED_TO_SEND(fd, name);
    RT_RECORD(t, rt_bytes_go(t, p, CUT(n), pc); if (!name || can_read_address(t, name, m)) {
        if (name)
            rt_read_range(t, name, m, pc);
        rt_fd_sending(t, fd, name, m, pc);
    });
    return REAL(sendto)(fd, p, n, flags, to, m);
}

/* ---- messages ---- */

/* Descriptors that came in a message are new numbers. */
static void descriptors_came(struct msghdr *m, uintptr_t pc)
{
    for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < n; i++) {
            int fd = ((const int *)(const void *)CMSG_DATA(c))[i];
            RT_ALWAYS(rt_fd_came(fd));
            FD_OPENED(fd);
        }
    }
}

static bool can_read_message(const struct msghdr *m)
{
    bool there = false;
    RT_RECORD(t, there = rt_can_read(t, m, sizeof *m));
    return there;
}

/* room: for the name, as msg_namelen said before the call.  The kernel writes three members, and reads all. */
static void message_came(struct msghdr *m, size_t bytes, socklen_t room, uintptr_t pc)
{
    socklen_t n = m->msg_namelen < room ? m->msg_namelen : room;
    RT_RECORD(t, rt_read_range(t, m, sizeof *m, pc); rt_write_range(t, &m->msg_controllen, sizeof m->msg_controllen, pc);
              rt_write_range(t, &m->msg_flags, sizeof m->msg_flags, pc);
              if (m->msg_name) {
                  rt_write_range(t, &m->msg_namelen, sizeof m->msg_namelen, pc);
                  rt_write_range(t, m->msg_name, n, pc);
              } if (m->msg_control) rt_write_range(t, m->msg_control, m->msg_controllen, pc));
    rt_vector(m->msg_iov, m->msg_iovlen, bytes, rt_write_range, pc);
    descriptors_came(m, pc);
}

INTERCEPT(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t room = can_read_message(m) ? m->msg_namelen : 0;
    ssize_t r = REAL(recvmsg)(fd, m, flags);
    if (r >= 0) {
        FD_AFTER(fd);
        message_came(m, bytes_came(fd, r, SIZE_MAX, flags), room, pc);
    }
    return r;
}

#define NAMES_MOST 128u /* of so many messages at once the names are recorded */

INTERCEPT(int, recvmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout))
{
    uintptr_t pc = RT_CALLER();
    socklen_t room[NAMES_MOST];
    FD_USED(fd);
    bool there = false;
    unsigned named = n < NAMES_MOST ? n : NAMES_MOST;
    RT_RECORD(t, there = rt_can_read(t, m, named * sizeof *m));
    for (unsigned i = 0; i < named; i++)
        room[i] = there ? m[i].msg_hdr.msg_namelen : 0;
    int r = REAL(recvmmsg)(fd, m, n, flags, timeout);
    if (r > 0)
        FD_AFTER(fd);
    if (r > 0 && timeout) /* what is left of it */
        RT_RECORD(t, rt_write_range(t, timeout, sizeof *timeout, pc));
    for (int i = 0; i < r; i++) {
        message_came(&m[i].msg_hdr, bytes_came(fd, m[i].msg_len, SIZE_MAX, flags), (unsigned)i < named ? room[i] : 0, pc);
        RT_RECORD(t, rt_write_range(t, &m[i].msg_len, sizeof m->msg_len, pc));
    }
    return r;
}

/* Of a message the kernel cuts a longer one, and one of no bytes is none. */
static socklen_t name_bytes(const struct msghdr *m)
{
    socklen_t most = sizeof(struct sockaddr_storage);
    return !m->msg_name || (int)m->msg_namelen <= 0 ? 0 : m->msg_namelen < most ? m->msg_namelen : most;
}

/* It can be read.  false: the name of who gets it cannot. */
static bool parts_go(const struct msghdr *m, uintptr_t pc)
{
    bool there = true;
    socklen_t n = name_bytes(m);
    RT_RECORD(t, rt_read_range(t, m, sizeof *m, pc);
              if (n && (there = rt_can_read(t, m->msg_name, n))) rt_read_range(t, m->msg_name, n, pc);
              if (m->msg_control && m->msg_controllen <= INT_MAX) rt_bytes_go(t, m->msg_control, m->msg_controllen, pc)); /* more is an error */
    rt_vector_goes(m->msg_iov, m->msg_iovlen, pc);
    return there;
}

void rt_message_goes(const struct msghdr *m, uintptr_t pc)
{
    if (can_read_message(m))
        (void)parts_go(m, pc);
}

static bool message_goes(int fd, const struct msghdr *m, uintptr_t pc)
{
    if (!parts_go(m, pc))
        return false;
    socklen_t n = name_bytes(m);
    RT_RECORD(t, rt_fd_sending(t, fd, n ? m->msg_name : NULL, n, pc));
    return true;
}

INTERCEPT(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags))
{
    uintptr_t pc = RT_CALLER();
    bool there = can_read_message(m);
    FD_USED_TO_SEND(fd, there && name_bytes(m));
    if (there)
        message_goes(fd, m, pc);
    return REAL(sendmsg)(fd, m, flags);
}

#define MESSAGES_MOST 1024u /* more are not sent: UIO_MAXIOV of the kernel */

INTERCEPT(int, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags))
{
    uintptr_t pc = RT_CALLER();
    bool there = n > 0 && can_read_message(&m[0].msg_hdr);
    FD_USED_TO_SEND(fd, there && name_bytes(&m[0].msg_hdr));
    for (unsigned i = 0; there && message_goes(fd, &m[i].msg_hdr, pc);)
        there = ++i < n && i < MESSAGES_MOST && can_read_message(&m[i].msg_hdr);
    int r = REAL(sendmmsg)(fd, m, n, flags);
    for (int i = 0; i < r; i++)
        RT_RECORD(t, rt_write_range(t, &m[i].msg_len, sizeof m->msg_len, pc));
    return r;
}

/* ---- names and options ---- */

#define TELLS_ADDRESS(name)                                                                                  \
    INTERCEPT(int, name, (int fd, struct sockaddr *restrict a, socklen_t *restrict n))                       \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_USED(fd);                                                                                         \
        socklen_t room = room_for(a, n);                                                                     \
        int r = REAL(name)(fd, a, n);                                                                        \
        if (r == 0)                                                                                          \
            address_came(a, n, room, pc);                                                                    \
        return r;                                                                                            \
    }

TELLS_ADDRESS(getsockname)
TELLS_ADDRESS(getpeername)

INTERCEPT(int, getsockopt, (int fd, int level, int option, void *restrict p, socklen_t *restrict n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    socklen_t room = room_for(p, n);
    int r = REAL(getsockopt)(fd, level, option, p, n);
    if (r == 0)
        address_came(p, n, room, pc);
    return r;
}

INTERCEPT(int, setsockopt, (int fd, int level, int option, const void *p, socklen_t n))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(setsockopt)(fd, level, option, p, n);
    if (r == 0 && p)
        RT_RECORD(t, rt_read_range(t, p, n, pc));
    return r;
}
