/* SPDX-License-Identifier: Apache-2.0
 *
 * Order that comes through file descriptors: bytes that one thread writes and another reads.
 *
 * A *channel* is what a write releases and a read acquires.  Each descriptor has up to two: the one that it
 * reads from and the one that it writes to.  A pipe is one channel, a socket pair two, an eventfd one that is both;
 * a descriptor that was made elsewhere (inherited, a FIFO, a connected socket) is looked at once, when it is used first.
 * Regular files and terminals have none: nothing is ordered by them.
 *
 * Sources of a channel are merged: who reads comes after all that was written before, also after bytes that it has not
 * read yet.  May order too much (a race may be missed), never too little.
 *
 * A connection is known by its two ports or by the path of the listening socket, since its ends meet in the kernel only.
 *
 * All functions, but for those that say otherwise: depth > 0 (inside the runtime).  Safe from several threads at once.
 */
#ifndef GL_NATIVE_FD_H
#define GL_NATIVE_FD_H

#include <sys/socket.h>

#include "native/runtime.h"

/* What descriptors are told when they are made.  Each forgets what the numbers meant before. */
void rt_fd_pipe(int reads, int writes);
void rt_fd_pair(int a, int b);     /* socketpair */
void rt_fd_event(int fd);          /* eventfd, timerfd, epoll: one channel, read and written */
void rt_fd_signals(int fd);        /* signalfd: see rt_fd_is_signals() */
void rt_fd_queue(int fd);          /* a message queue of mq_open */
void rt_fd_copy(int from, int to); /* dup and its kin, after success */
/* dup2 to a number that is open, before the call, which will succeed: who is in a call on that number still means what it was. */
void rt_fd_replace(int from, int to);
void rt_fd_came(int fd);           /* in a message, or taken from a process: it may be one that this process has, by another number */
void rt_fd_forget(int lo, int hi); /* lo <= fd <= hi: closed, or made anew in some other way */
void rt_fd_changed(int fd);        /* bound, connected: its channels are others now, and whoever watches it still does */

/* The kernel gives a number that is free again to whoever asks next: a close (before; one that fails is none) comes
 * before the call that got the number (after).  Tables that servers keep by number rest on it. */
void rt_fd_closing(struct rt_thread *t, int fd, uintptr_t pc);
/* The same of all that are open from lo to hi; what each writes is closed with it. */
void rt_fd_closing_range(struct rt_thread *t, int lo, int hi, uintptr_t pc);
void rt_fd_opened(struct rt_thread *t, int fd, uintptr_t pc);
/* By dup2: was_open: it has another meaning now, and was never free. */
void rt_fd_replaced(struct rt_thread *t, int fd, bool was_open, uintptr_t pc);

/* A number is also a variable: each use reads it, a close writes it, and it is a fresh one when it is opened.  Before the real call,
 * outside of the runtime, since a race is told at once; a use that has waited for nothing may be told after it. */
void rt_fd_used(int fd, uintptr_t pc);
/* The same by a call that sends.  Not counted on a connection by name, whose other end may be in another process: who reads the answer
 * from there comes after the call, and nobody sees that. */
void rt_fd_used_to_send(int fd, uintptr_t pc);
/* False: it is not open.  A second close is a mistake, too, unless it is one of many in the child of a fork. */
bool rt_fd_ending(int fd, uintptr_t pc);
void rt_fd_ending_range(int lo, int hi, uintptr_t pc);
bool rt_fd_is_open(int fd);
bool rt_fd_only_reads(int fd);
/* The child of a fork has numbers of its own. */
void rt_fd_forked(void);

/* Which number's variable is at the address, for reports. */
struct rt_fd_number {
    int fd;
    bool closed;
    uint32_t tid, stack; /* who made or closed it, and where; UINT32_MAX (GL_REPORT_NO_THREAD) and 0: not known */
};
bool rt_fd_find(uintptr_t a, struct rt_fd_number *out);
/* For a sweep: marks the threads of all numbers. */
struct rt_used;
void rt_fd_uses(struct rt_used *tids);

/* Before a write to, after a read from.  A close is a write: the end of the file orders too. */
void rt_fd_release(struct rt_thread *t, int fd, uintptr_t pc);
/* shutdown: the same, and who waits for bytes at this very end comes after it, too. */
void rt_fd_shut(struct rt_thread *t, int fd, uintptr_t pc);
void rt_fd_acquire(struct rt_thread *t, int fd, uintptr_t pc);
/* A stream writes to the descriptor.  Before all streams are written out: a release to each such. */
void rt_fd_streamed(int fd);
void rt_fd_release_streams(struct rt_thread *t, uintptr_t pc);
/* The descriptor neither reads nor writes a channel: nothing to record.  Needs no depth. */
bool rt_fd_plain(int fd);
bool rt_fd_is_signals(int fd);
bool rt_fd_is_tcp(int fd);

/* A lock of the open file (flock, F_OFD_SETLK) changes: before the call, and after its success.  all: of the whole file.  Sources of a file's locks are merged. */
void rt_fd_locking(struct rt_thread *t, int fd, bool unlocks, uintptr_t pc);
void rt_fd_locked(struct rt_thread *t, int fd, bool unlocks, bool all, uintptr_t pc);
/* Before a close, which gives the lock up, unless another number stands for the same open file: that is not looked at. */
void rt_fd_unlocking(struct rt_thread *t, int fd, uintptr_t pc);
/* False: nothing to record.  Needs no depth. */
bool rt_fd_has_lock(int fd);

/* After bind(): who names the socket by another path to the same file means this one. */
void rt_fd_bound(const struct sockaddr *at, socklen_t n);
/* connect (before) to accept (after, on the listening descriptor: rt_fd_acquire); a datagram to an address. */
void rt_fd_connecting(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc);
void rt_fd_sending(struct rt_thread *t, int fd, const struct sockaddr *to, socklen_t n, uintptr_t pc);

/* epoll: `fd` is about to be watched by `epoll`, and `data` is what a wait will tell of it; then such a wait told; came: that there is something to read, or an end or
 * an error. */
void rt_fd_watch(struct rt_thread *t, int epoll, int fd, uint64_t data, uintptr_t pc);
void rt_fd_told(struct rt_thread *t, int epoll, uint64_t data, bool came, uintptr_t pc);

/* Order by a name that is not a descriptor: System V queues and semaphores, locks of files.  `what` tells the kinds apart. */
enum rt_named {
    RT_NAMED_CONNECTION = 1,
    RT_NAMED_DATAGRAM,
    RT_NAMED_FILE,
    RT_NAMED_MSG,
    RT_NAMED_SEM,
    RT_NAMED_FLOCK,
    RT_NAMED_CHILD,
    RT_NAMED_SIGNAL,
    RT_NAMED_PATH
};
uintptr_t rt_named(enum rt_named what, uint64_t a, uint64_t b);
/* 0: nobody has asked for the name. */
uintptr_t rt_named_if_any(enum rt_named what, uint64_t a, uint64_t b);
/* 0: nobody has, or what is called so shares its channel with others. */
uintptr_t rt_named_own(enum rt_named what, uint64_t a, uint64_t b);
/* Of the file that is open as `fd`; 0: not open. */
uintptr_t rt_named_file(enum rt_named what, int fd);

#endif
