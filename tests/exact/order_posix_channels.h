/* SPDX-License-Identifier: Apache-2.0
 *
 * Private to order_posix.cpp: its accesses, and its channels: what is sent by one thread and received by another.
 */
#ifndef TESTS_EXACT_ORDER_POSIX_CHANNELS_H
#define TESTS_EXACT_ORDER_POSIX_CHANNELS_H

#include "tests/exact/order_posix_world.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>

extern "C" {
void AnnotateHappensBefore(const char *file, int line, const volatile void *addr);
void AnnotateHappensAfter(const char *file, int line, const volatile void *addr);
}

extern char **environ;

namespace {

enum { TRY = 1 }; /* step.how */

world *w; /* changes only while no other thread runs */
unsigned first_turn, wrong;
long failed_step = -1, fork_writes = -1, handlers; /* unseen; handlers: this script has asked for before_fork() */
pthread_key_t at_end;

/* ---- accesses ---- */

template <class T> void access_as(char *p, bool write)
{
    struct __attribute__((packed)) there {
        T value;
    };
    if (write)
        ((there *)p)->value = 1;
    else
        USE(((there *)p)->value);
}

char *place_of(const step &s)
{
    if (s.at < BYTES)
        return w->bytes + s.at;
    if (s.at >= MEMORY)
        return (char *)hidden_get(&w->memory[(s.at - MEMORY) / BLOCK]) + (s.at - MEMORY) % BLOCK;
    const long *slot = &w->local[WORKERS + (s.at - STACKS) / STACK];
    long local;
    while ((local = hidden_get(slot)) == 0)
        hidden_yield();
    return (char *)local + (s.at - STACKS) % STACK;
}

void read_write(const step &s)
{
    char *p = place_of(s), copy[16];
    bool write = s.what == WRITE;
    if (s.how == 3 && write)
        memset(p, 0, UNKNOWN((size_t)s.size));
    else if (s.how == 3)
        __asm__ volatile("" : : "r"(memcpy(copy, p, UNKNOWN((size_t)s.size))) : "memory");
    else if (s.how == 2) {
        switch (s.size) {
        case 1: access_as<char>(p, write); break;
        case 2: access_as<short>(p, write); break;
        case 4: access_as<int>(p, write); break;
        default: access_as<long>(p, write);
        }
    } else {
        switch (s.size * 2 + write) {
        case 2: USE(*p); break;
        case 3: *p = 1; break;
        case 4: USE(*(short *)p); break;
        case 5: *(short *)p = 1; break;
        case 8: USE(*(int *)p); break;
        case 9: *(int *)p = 1; break;
        case 16: USE(*(long *)p); break;
        default: *(long *)p = 1;
        }
    }
    __asm__ volatile("" : : : "memory");
}

void write_at(unsigned at) { *(int *)(w->bytes + at) = 1; }

/* ---- channels ---- */

bool is_socket(unsigned object) { return object >= C_STREAM && object <= C_UDP; }

void send_bytes(const step &s, unsigned t)
{
    char own[4] = {}, *p = s.size ? w->bytes + s.at : own;
    int fd = w->ends[s.object][1];
    struct iovec v = {p, 4};
    struct msghdr m = {};
    m.msg_iov = &v;
    m.msg_iovlen = 1;
    struct mmsghdr mm = {m, 0};
    ssize_t r = 4;
    switch (is_socket(s.object) ? s.how : s.how % 4 + 8) {
    case 0: r = send(fd, p, 4, 0); break;
    case 1: r = sendto(fd, p, 4, MSG_NOSIGNAL, NULL, 0); break;
    case 2: r = sendmsg(fd, &m, 0); break;
    case 3: MUST(sendmmsg(fd, &mm, 1, 0) == 1); break;
    case 8: r = vmsplice(fd, &v, 1, 0); break;
    case 9:
        MUST(write(w->scratch[t][1], p, 4) == 4);
        r = splice(w->scratch[t][0], NULL, fd, NULL, 4, 0);
        break;
    case 4:
    case 10: r = writev(fd, &v, 1); break;
    default: r = write(fd, p, 4);
    }
    MUST(r == 4);
}

void send(const step &s, unsigned t)
{
    struct timespec limit = in_a_minute();
    struct itimerspec at_once = {};
    at_once.it_value.tv_nsec = 1;
    struct message m = {1, {}};
    struct sembuf ops[2] = {{0, 1, 0}, {0, 0, IPC_NOWAIT}};
    union sigval value = {};
    unsigned long one = 1;
    char text[4] = {};
    switch (s.object) {
    case C_EVENT:
    case C_EVENT_SUM: MUST(s.how % 2 ? eventfd_write(w->ends[s.object][1], 1) == 0 : write(w->ends[s.object][1], &one, 8) == 8); break;
    case C_CLOCK: MUST(timerfd_settime(w->ends[C_CLOCK][1], 0, &at_once, NULL) == 0); break;
    case C_QUEUE: {
        const char *p = s.size ? w->bytes + s.at : text;
        MUST((s.how % 2 ? mq_send(w->queue, p, 4, 1) : mq_timedsend(w->queue, p, 4, 1, &limit)) == 0);
        break;
    }
    case C_MESSAGES:
        MUST(msgsnd(w->messages, &m, sizeof m.text, 0) == 0);
        break;
    case C_SEMAPHORE: MUST((s.how % 2 ? semop(w->sysv, ops, 1) : semtimedop(w->sysv, ops, 1, &limit)) == 0); break;
    case C_SHARED: MUST(sem_post(&w->shared) == 0); break;
    case C_NAMED: MUST(sem_post(w->named) == 0); break;
    case C_SIGNAL:
    case C_SIGNALFD: MUST((s.how % 2 ? sigqueue(getpid(), s.object == C_SIGNAL ? SIG_WAITED : SIG_READ, value) : kill(getpid(), s.object == C_SIGNAL ? SIG_WAITED : SIG_READ)) == 0); break;
    case C_TIMER: MUST(timer_settime(w->timer, 0, &at_once, NULL) == 0); break;
    default: send_bytes(s, t);
    }
}

void look(const step &s)
{
    int fd = w->ends[s.object][0], n = 0;
    struct mq_attr attr;
    struct msqid_ds state;
    if (s.object == C_MESSAGES || s.object == C_SEMAPHORE) {
        MUST(s.object == C_SEMAPHORE ? semctl(w->sysv, 0, GETVAL) > 0 : msgctl(w->messages, IPC_STAT, &state) == 0 && state.msg_qnum > 0);
        return;
    }
    struct pollfd p = {fd, POLLIN, 0};
    struct epoll_event e;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    char c[8];
    switch (s.how) {
    case 0: MUST(poll(&p, 1, -1) == 1); break;
    case 1: MUST(ppoll(&p, 1, NULL, NULL) == 1); break;
    case 2: MUST(select(fd + 1, &set, NULL, NULL, NULL) == 1); break;
    case 3: MUST(pselect(fd + 1, &set, NULL, NULL, NULL, NULL) == 1); break;
    case 4: MUST(epoll_wait(w->epoll[0][s.object], &e, 1, -1) == 1); break;
    case 5: MUST(epoll_pwait2(w->epoll[1][s.object], &e, 1, NULL, NULL) == 1); break;
    case 6:
        if (is_socket(s.object)) {
            MUST(recv(fd, c, 4, MSG_PEEK) == 4);
            break;
        }
        if (s.object == C_PIPE || s.object == C_FIFO) {
            MUST(ioctl(fd, FIONREAD, &n) == 0 && n > 0);
            break;
        }
        if (s.object == C_QUEUE) {
            MUST(mq_getattr(w->queue, &attr) == 0 && attr.mq_curmsgs > 0);
            break;
        }
        [[fallthrough]];
    default: MUST(epoll_pwait(w->epoll[1][s.object], &e, 1, -1, NULL) == 1);
    }
}

void receive_bytes(const step &s, unsigned t)
{
    char own[4], *p = s.size ? w->bytes + s.at : own;
    int fd = w->ends[s.object][0];
    struct iovec v = {p, 4};
    struct msghdr m = {};
    m.msg_iov = &v;
    m.msg_iovlen = 1;
    struct mmsghdr mm = {m, 0};
    ssize_t r = 4;
    switch (is_socket(s.object) ? s.how : s.how % 4 + 8) {
    case 0: r = recv(fd, p, 4, MSG_WAITALL); break;
    case 1: r = recvfrom(fd, p, 4, 0, NULL, NULL); break;
    case 2: r = recvmsg(fd, &m, 0); break;
    case 3: MUST(recvmmsg(fd, &mm, 1, 0, NULL) == 1); break;
    case 8:
        MUST(splice(fd, NULL, w->scratch[t][1], NULL, 4, 0) == 4);
        r = read(w->scratch[t][0], p, 4);
        break;
    case 9:
        MUST(tee(fd, w->scratch[t][1], 4, 0) == 4 && read(w->scratch[t][0], own, 4) == 4);
        r = read(fd, p, 4);
        break;
    case 4:
    case 10: r = readv(fd, &v, 1); break;
    default: r = read(fd, p, 4);
    }
    MUST(r == 4);
}

int wait_for_signal(int sig, unsigned how)
{
    sigset_t set = set_of(sig);
    siginfo_t info;
    struct timespec minute = {60, 0};
    int got = 0;
    if (how % 3 == 0)
        return sigwait(&set, &got) == 0 ? got : -1;
    return how % 3 == 1 ? sigwaitinfo(&set, &info) : sigtimedwait(&set, &info, &minute);
}

void receive(const step &s, unsigned t)
{
    struct timespec limit = in_a_minute(), minute = {60, 0}, steady = in_a_minute(CLOCK_MONOTONIC);
    struct message m;
    struct sembuf op = {0, -1, 0};
    struct signalfd_siginfo info;
    unsigned long got;
    char text[8];
    switch (s.object) {
    case C_EVENT:
    case C_EVENT_SUM:
    case C_CLOCK: MUST(s.how % 2 && s.object != C_CLOCK ? eventfd_read(w->ends[s.object][0], &got) == 0 : read(w->ends[s.object][0], &got, 8) == 8); break;
    case C_QUEUE: {
        char *p = text;
        MUST((s.how % 2 ? mq_receive(w->queue, p, 8, NULL) : mq_timedreceive(w->queue, p, 8, NULL, &limit)) == 4);
        if (s.size)
            memcpy(w->bytes + s.at, p, UNKNOWN((size_t)4));
        break;
    }
    case C_MESSAGES: MUST(msgrcv(w->messages, &m, sizeof m.text, 0, 0) == 4); break;
    case C_SEMAPHORE: MUST((s.how % 2 ? semop(w->sysv, &op, 1) : semtimedop(w->sysv, &op, 1, &minute)) == 0); break;
    case C_SHARED:
    case C_NAMED: {
        sem_t *x = s.object == C_SHARED ? &w->shared : w->named;
        MUST((s.how % 3 == 0 ? sem_wait(x) : s.how % 3 == 1 ? sem_timedwait(x, &limit) : sem_clockwait(x, CLOCK_MONOTONIC, &steady)) == 0);
        break;
    }
    case C_SIGNAL: MUST(wait_for_signal(SIG_WAITED, s.how) == SIG_WAITED); break;
    case C_TIMER: MUST(wait_for_signal(SIG_TIMER, s.how) == SIG_TIMER); break;
    case C_SIGNALFD: MUST(read(w->ends[C_SIGNALFD][0], &info, sizeof info) == sizeof info); break;
    default: receive_bytes(s, t);
    }
}

} // namespace

#endif
