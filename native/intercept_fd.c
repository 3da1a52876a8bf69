/* SPDX-License-Identifier: Apache-2.0
 *
 * The life of descriptors, and waiting for them: fd.h is told what each number stands for, and a wait that says
 * that something can be read comes after the write that made it so.
 *
 * A number is forgotten before the real close: after it the number may already be somebody else's.
 */
#include "native/intercept_fd.h"

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* ---- made ---- */

#define MAKES_PIPE(name, params, args)                                                                       \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        int r = REAL(name) args;                                                                             \
        if (r == 0) {                                                                                        \
            RT_ALWAYS(rt_fd_pipe(fd[0], fd[1]));                                                             \
            FD_OPENED(fd[0]);                                                                                \
            FD_OPENED(fd[1]);                                                                                \
            RT_RECORD(t, rt_write_range(t, fd, 2 * sizeof *fd, pc));                                         \
        }                                                                                                    \
        return r;                                                                                            \
    }

MAKES_PIPE(pipe, (int fd[2]), (fd))
MAKES_PIPE(pipe2, (int fd[2], int flags), (fd, flags))

FD_MAKES(eventfd, (unsigned value, int flags), (value, flags), rt_fd_event(r))
FD_MAKES(timerfd_create, (clockid_t clock, int flags), (clock, flags), rt_fd_event(r))
FD_MAKES(epoll_create, (int size), (size), rt_fd_event(r))
FD_MAKES(epoll_create1, (int flags), (flags), rt_fd_event(r))

/* One that is there gets other signals. */
INTERCEPT(int, signalfd, (int fd, const sigset_t *set, int flags))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(signalfd)(fd, set, flags);
    if (r >= 0)
        RT_ALWAYS(rt_fd_signals(r));
    if (r >= 0 && fd < 0)
        FD_OPENED(r);
    return r;
}

INTERCEPT(int, dup, (int fd))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(dup)(fd);
    if (r >= 0) {
        RT_ALWAYS(rt_fd_copy(fd, r));
        FD_OPENED(r);
    }
    return r;
}

/* ---- gone ---- */

/* The other end may read the end of the file because of this. */
static void closing(int fd, uintptr_t pc)
{
    FD_BEFORE(fd);
    RT_ALWAYS(rt_fd_forget(fd, fd));
}

static void unlocking(int fd, uintptr_t pc)
{
    if (rt_fd_has_lock(fd))
        RT_RECORD(t, rt_fd_unlocking(t, fd, pc));
}

void rt_fd_number_ends(int fd, uintptr_t pc)
{
    unlocking(fd, pc);
    if (rt_fd_ending(fd, pc))
        RT_RECORD(t, rt_fd_closing(t, fd, pc));
}

void rt_fd_ends(int fd, uintptr_t pc)
{
    if (rt_is_shared_child()) /* in our memory, but its descriptors are its own */
        return;
    rt_fd_number_ends(fd, pc);
    closing(fd, pc);
}

INTERCEPT(int, close, (int fd))
{
    uintptr_t pc = RT_CALLER();
    if (fd >= 0 && fd == rt_record_descriptor()) { /* of a program that closes all there might be */
        errno = EBADF;
        return -1;
    }
    rt_fd_ends(fd, pc);
    return REAL(close)(fd);
}

RT_ALIAS(__close, close);

static void closing_range(int lo, int hi, uintptr_t pc)
{
    if (rt_is_shared_child()) /* as above */
        return;
    rt_fd_ending_range(lo, hi, pc);
    RT_RECORD(t, rt_fd_closing_range(t, lo, hi, pc));
    RT_ALWAYS(rt_fd_forget(lo, hi));
}

#define CLOSE_RANGE_KNOWN (CLOSE_RANGE_UNSHARE | CLOSE_RANGE_CLOEXEC)

INTERCEPT(int, close_range, (unsigned lo, unsigned hi, int flags))
{
    if (((unsigned)flags & ~CLOSE_RANGE_KNOWN) || lo > hi) /* an error, and nothing is closed */
        return REAL(close_range)(lo, hi, flags);
    if (!(flags & (int)CLOSE_RANGE_CLOEXEC) && lo <= INT32_MAX)
        closing_range((int)lo, hi > INT32_MAX ? INT32_MAX : (int)hi, RT_CALLER());
    int kept = rt_record_descriptor();
    unsigned ours = (unsigned)kept;
    if (kept < 0 || ours < lo || ours > hi)
        return REAL(close_range)(lo, hi, flags);
    int r = lo < ours ? REAL(close_range)(lo, ours - 1, flags) : 0;
    return r == 0 && ours < hi ? REAL(close_range)(ours + 1, hi, flags) : r;
}

INTERCEPT(void, closefrom, (int lo))
{
    closing_range(lo, INT32_MAX, RT_CALLER());
    int ours = rt_record_descriptor();
    if (ours >= 0 && lo <= ours) {
        for (int fd = lo < 0 ? 0 : lo; fd < ours; fd++)
            (void)REAL(close)(fd);
        lo = ours + 1;
    }
    REAL(closefrom)(lo);
}

/* ---- shared ---- */

/* With wrong flags it is an error, and the number stays what it is. */
#define REPLACES(name, params, args, fine)                                                                   \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        if (rt_is_shared_child())                                                                            \
            return REAL(name) args;                                                                          \
        uintptr_t pc = RT_CALLER();                                                                          \
        bool was_open = from == to;                                                                          \
        FD_USED(from);                                                                                       \
        if (from != to && (fine) && rt_fd_is_open(from)) {                                                   \
            FD_USED(to); /* it is never free in between, so this is no close */                              \
            was_open = rt_fd_is_open(to);                                                                    \
            unlocking(to, pc);                                                                               \
            FD_BEFORE(to); /* the other end may read the end of the file because of this */                  \
            RT_ALWAYS(if (was_open) rt_fd_replace(from, to); else rt_fd_forget(to, to));                     \
        }                                                                                                    \
        int r = REAL(name) args;                                                                             \
        if (r >= 0) {                                                                                        \
            rt_log_given(r);                                                                                 \
            RT_ALWAYS(rt_fd_copy(from, r));                                                                  \
            if (from != to)                                                                                  \
                RT_RECORD(t, rt_fd_replaced(t, r, was_open, pc));                                            \
        }                                                                                                    \
        return r;                                                                                            \
    }

/* Locks of open files exclude threads, those of processes (F_SETLK) do not. */
#define CONTROLS(name)                                                                                       \
    INTERCEPT(int, name, (int fd, int command, ...))                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        va_list ap;                                                                                          \
        va_start(ap, command);                                                                               \
        void *arg = va_arg(ap, void *); /* whatever it is, it is in a register of a pointer's size */        \
        va_end(ap);                                                                                          \
        FD_USED(fd);                                                                                         \
        bool gives = command == F_SETLK || command == F_SETLKW;                                              \
        bool locks = command == F_OFD_SETLK || command == F_OFD_SETLKW;                                      \
        const struct flock *lock = arg;                                                                      \
        if (gives || locks)                                                                                  \
            RT_RECORD(t, bool there = rt_can_read(t, lock, sizeof *lock); locks &= there;                    \
                      if (there) rt_read_range(t, lock, sizeof *lock, pc));                                  \
        bool unlocks = locks && lock->l_type == F_UNLCK;                                                     \
        bool all = locks && lock->l_whence == SEEK_SET && lock->l_start == 0 && lock->l_len == 0;            \
        if (locks)                                                                                           \
            RT_RECORD(t, rt_fd_locking(t, fd, unlocks, pc));                                                 \
        int r = REAL(name)(fd, command, arg);                                                                \
        if (r >= 0 && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) {                                  \
            RT_ALWAYS(rt_fd_copy(fd, r));                                                                    \
            FD_OPENED(r);                                                                                    \
        }                                                                                                    \
        if (r >= 0 && (command == F_GETLK || command == F_OFD_GETLK))                                        \
            RT_RECORD(t, rt_write_range(t, lock, sizeof *lock, pc));                                         \
        if (r >= 0 && locks)                                                                                 \
            RT_RECORD(t, rt_fd_locked(t, fd, unlocks, all, pc));                                             \
        return r;                                                                                            \
    }

CONTROLS(fcntl)
CONTROLS(fcntl64)
REPLACES(dup2, (int from, int to), (from, to), true)
REPLACES(dup3, (int from, int to, int flags), (from, to, flags), (flags & ~O_CLOEXEC) == 0)

INTERCEPT(int, flock, (int fd, int what))
{
    uintptr_t pc = RT_CALLER();
    bool unlocks = what & LOCK_UN;
    FD_USED(fd);
    RT_RECORD(t, rt_fd_locking(t, fd, unlocks, pc));
    int r = REAL(flock)(fd, what);
    if (r == 0)
        RT_RECORD(t, rt_fd_locked(t, fd, unlocks, true, pc));
    return r;
}

/* ---- waiting ---- */

static int polled(struct pollfd *p, nfds_t n, int r, uintptr_t pc)
{
    if (r >= 0) {
        RT_RECORD(t, rt_read_range(t, p, n * sizeof *p, pc));
        for (nfds_t i = 0; i < n; i++)
            rt_writes((uintptr_t)&p[i].revents, sizeof p[i].revents, pc);
    }
    for (nfds_t i = 0; r >= 0 && i < n; i++) /* only now: the address may have been wrong */
        FD_USED(p[i].fd);
    for (nfds_t i = 0; r > 0 && i < n; i++)
        if (p[i].revents & (POLLIN | POLLPRI | POLLHUP | POLLRDHUP | POLLERR | POLLRDNORM))
            FD_AFTER(p[i].fd);
    return r;
}

#define POLLS(name, params, args)                                                                            \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        return polled(p, n, REAL(name) args, pc);                                                            \
    }

typedef const struct timespec *timeout_t;

POLLS(poll, (struct pollfd * p, nfds_t n, int timeout), (p, n, timeout))
POLLS(ppoll, (struct pollfd * p, nfds_t n, timeout_t timeout, const sigset_t *mask), (p, n, timeout, mask))
int __poll_chk(struct pollfd *p, nfds_t n, int timeout, size_t room);
POLLS(__poll_chk, (struct pollfd * p, nfds_t n, int timeout, size_t room), (p, n, timeout, room))
int __ppoll_chk(struct pollfd *p, nfds_t n, timeout_t timeout, const sigset_t *mask, size_t room);
POLLS(__ppoll_chk, (struct pollfd * p, nfds_t n, timeout_t timeout, const sigset_t *mask, size_t room),
      (p, n, timeout, mask, room))

/* Sets may be longer than fd_set: n says how long. */
static int selected(int n, fd_set *const sets[3], int r, uintptr_t pc)
{
    const int bits = 8 * sizeof(unsigned long);
    size_t bytes = r >= 0 && n > 0 ? (size_t)(n + bits - 1) / (size_t)bits * sizeof(unsigned long) : 0;
    for (int k = 0; k < 3 && bytes; k++) {
        if (!sets[k])
            continue;
        RT_RECORD(t, rt_write_range(t, sets[k], bytes, pc));
        const unsigned long *words = (const unsigned long *)(const void *)sets[k];
        for (int fd = 0; fd < n; fd++) {
            if (!(words[fd / bits] >> fd % bits & 1))
                continue;
            FD_USED(fd); /* of the others it is not known any more that they were asked for */
            if (k != 1)  /* what can be written says nothing of others */
                FD_AFTER(fd);
        }
    }
    return r;
}

INTERCEPT(int, select,
          (int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
           struct timeval *restrict d))
{
    uintptr_t pc = RT_CALLER();
    bool waits = d && (d->tv_sec || d->tv_usec); /* what is left is written there; of no time, which programs share, nothing is told */
    int r = selected(n, (fd_set *const[]){in, out, odd}, REAL(select)(n, in, out, odd, d), pc);
    if (r >= 0 && waits)
        RT_RECORD(t, rt_write_range(t, d, sizeof *d, pc));
    return r;
}

INTERCEPT(int, pselect,
          (int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict odd,
           const struct timespec *restrict d, const sigset_t *restrict mask))
{
    uintptr_t pc = RT_CALLER();
    return selected(n, (fd_set *const[]){in, out, odd}, REAL(pselect)(n, in, out, odd, d, mask), pc);
}

INTERCEPT(int, epoll_ctl, (int epoll, int op, int fd, struct epoll_event *event))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(epoll);
    FD_USED(fd);
    if (op != EPOLL_CTL_DEL) /* what the program did before comes before whoever is told of it */
        RT_RECORD(t, if (rt_can_read(t, event, sizeof *event)) {
            rt_read_range(t, event, sizeof *event, pc);
            rt_fd_watch(t, epoll, fd, event->data.u64, pc);
        });
    return REAL(epoll_ctl)(epoll, op, fd, event);
}

static int events_came(int epoll, const struct epoll_event *events, int r, uintptr_t pc)
{
    if (r > 0)
        RT_RECORD(t, rt_write_range(t, events, (size_t)r * sizeof *events, pc));
    for (int i = 0; i < r; i++) {
        uint64_t data = events[i].data.u64;
        bool came = events[i].events & (EPOLLIN | EPOLLPRI | EPOLLHUP | EPOLLRDHUP | EPOLLERR | EPOLLRDNORM); /* what can be written says nothing of others */
        RT_RECORD(t, rt_fd_told(t, epoll, data, came, pc));
    }
    return r;
}

#define WAITS_FOR_EVENTS(name, params, args)                                                                 \
    INTERCEPT(int, name, params)                                                                             \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_USED(epoll);                                                                                      \
        return events_came(epoll, events, REAL(name) args, pc);                                              \
    }

WAITS_FOR_EVENTS(epoll_wait, (int epoll, struct epoll_event *events, int n, int timeout),
                 (epoll, events, n, timeout))
WAITS_FOR_EVENTS(epoll_pwait,
                 (int epoll, struct epoll_event *events, int n, int timeout, const sigset_t *mask),
                 (epoll, events, n, timeout, mask))
WAITS_FOR_EVENTS(epoll_pwait2,
                 (int epoll, struct epoll_event *events, int n, timeout_t timeout, const sigset_t *mask),
                 (epoll, events, n, timeout, mask))

/* ---- timers ---- */

INTERCEPT(int, timerfd_settime, (int fd, int flags, const struct itimerspec *new, struct itimerspec *old))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    RT_RECORD(t, rt_read_range(t, new, sizeof *new, pc));
    FD_BEFORE(fd); /* it runs out after it was set */
    int r = REAL(timerfd_settime)(fd, flags, new, old);
    if (r == 0 && old)
        RT_RECORD(t, rt_write_range(t, old, sizeof *old, pc));
    return r;
}

INTERCEPT(int, timerfd_gettime, (int fd, struct itimerspec *now))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(timerfd_gettime)(fd, now);
    if (r == 0)
        RT_RECORD(t, rt_write_range(t, now, sizeof *now, pc));
    return r;
}

/* ---- from descriptor to descriptor ---- */

/* Who reads at the far end comes after who wrote at the near one.  offsets: where in files, counted on. */
#define MOVES(name, params, args, offsets)                                                                   \
    INTERCEPT(ssize_t, name, params)                                                                         \
    {                                                                                                        \
        uintptr_t pc = RT_CALLER();                                                                          \
        FD_USED(in);                                                                                         \
        FD_USED(out);                                                                                        \
        FD_AFTER(in);                                                                                        \
        FD_BEFORE(out);                                                                                      \
        ssize_t r = REAL(name) args;                                                                         \
        if (r >= 0) {                                                                                        \
            FD_AFTER(in);                                                                                    \
            FD_BEFORE(out);                                                                                  \
            offsets;                                                                                         \
        }                                                                                                    \
        return r;                                                                                            \
    }

MOVES(splice, (int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned flags),
      (in, in_at, out, out_at, n, flags), WHOLE(in_at);
      WHOLE(out_at))
MOVES(copy_file_range, (int in, off64_t *in_at, int out, off64_t *out_at, size_t n, unsigned flags),
      (in, in_at, out, out_at, n, flags), WHOLE(in_at);
      WHOLE(out_at))
MOVES(tee, (int in, int out, size_t n, unsigned flags), (in, out, n, flags), (void)0)
MOVES(sendfile, (int out, int in, off_t *at, size_t n), (out, in, at, n), WHOLE(at))
MOVES(sendfile64, (int out, int in, off64_t *at, size_t n), (out, in, at, n), WHOLE(at))

/* At the end of a pipe that can only be read it fills the program's memory. */
INTERCEPT(ssize_t, vmsplice, (int fd, const struct iovec *v, size_t n, unsigned flags))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    bool fills = rt_fd_only_reads(fd);
    if (!fills) {
        rt_vector_goes(v, n, pc);
        FD_BEFORE(fd);
    }
    ssize_t r = REAL(vmsplice)(fd, v, n, flags);
    if (r >= 0 && fills) {
        FD_AFTER(fd);
        rt_vector(v, n, (size_t)r, rt_write_range, pc);
    }
    return r;
}

/* ---- message queues ---- */

INTERCEPT(mqd_t, mq_open, (const char *name, int flags, ...))
{
    uintptr_t pc = RT_CALLER();
    va_list ap;
    va_start(ap, flags);
    mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
    struct mq_attr *attr = flags & O_CREAT ? va_arg(ap, struct mq_attr *) : NULL;
    va_end(ap);
    mqd_t r = REAL(mq_open)(name, flags, mode, attr);
    if (r >= 0) {
        RT_ALWAYS(rt_fd_queue(r));
        FD_OPENED(r);
    }
    return r;
}

INTERCEPT(int, mq_getattr, (mqd_t fd, struct mq_attr *attr))
{
    uintptr_t pc = RT_CALLER();
    FD_USED(fd);
    int r = REAL(mq_getattr)(fd, attr);
    if (r == 0) {
        if (attr->mq_curmsgs > 0)
            FD_AFTER(fd);
        RT_RECORD(t, rt_write_range(t, attr, sizeof *attr, pc));
    }
    return r;
}

INTERCEPT(int, mq_close, (mqd_t fd))
{
    rt_fd_number_ends(fd, RT_CALLER());
    RT_ALWAYS(rt_fd_forget(fd, fd));
    return REAL(mq_close)(fd);
}

#define QUEUE_CAME                                                                                           \
    rt_write_range(t, p, (size_t)r, pc);                                                                     \
    if (priority)                                                                                            \
    rt_write_range(t, priority, sizeof *priority, pc)

FD_TAKES(int, mq_send, (mqd_t fd, const char *p, size_t n, unsigned priority), (fd, p, n, priority),
         rt_bytes_go(t, p, n, pc))
FD_TAKES(int, mq_timedsend, (mqd_t fd, const char *p, size_t n, unsigned priority, timeout_t d),
         (fd, p, n, priority, d), rt_bytes_go(t, p, n, pc))
FD_FILLS(ssize_t, mq_receive, (mqd_t fd, char *p, size_t n, unsigned *priority), (fd, p, n, priority),
         QUEUE_CAME)
FD_FILLS(ssize_t, mq_timedreceive,
         (mqd_t fd, char *restrict p, size_t n, unsigned *restrict priority,
          const struct timespec *restrict d),
         (fd, p, n, priority, d), QUEUE_CAME)
