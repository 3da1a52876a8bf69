// SPDX-License-Identifier: Apache-2.0
// Calls whose arguments are wrong fail as they do without us: addresses that lead nowhere, no place for a line, no function for a child; also on another stack than the thread's. Racy: what is sent to an
// address that cannot be read is read all the same.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <ucontext.h>
#include <unistd.h>

static char x[8];
static struct iovec part = {x, sizeof x};
static void *wrong[2]; // the null pointer, and memory that cannot be read
static int pair[2], epoll, file;

#define FAILS(error, call) MUST((errno = 0, (call)) == -1 && errno == (error))

static void calls(void *p) {
    FAILS(EFAULT, writev(pair[0], p, 2));
    FAILS(EFAULT, pwritev(file, p, 2, 0));
    FAILS(EFAULT, sendmsg(pair[0], p, 0));
    FAILS(EFAULT, sendmmsg(pair[0], p, 2, 0));
    FAILS(EFAULT, sendmsg(pair[0], &(struct msghdr){.msg_iov = p, .msg_iovlen = 2}, 0));
    FAILS(EFAULT, connect(pair[0], p, 16));
    FAILS(EFAULT, epoll_ctl(epoll, EPOLL_CTL_ADD, pair[0], p));
    FAILS(EFAULT, fcntl(file, F_OFD_SETLK, p));
    FAILS(EFAULT, access(p, R_OK));
    FAILS(ENOENT, rename("", p));
    FAILS(ENOENT, link("", p));
    FAILS(ENOENT, symlink("", p));
    MUST(fgetxattr(-1, p, x, sizeof x) == -1); // EFAULT in older kernels
    MUST(getxattr(p, "", x, sizeof x) == -1 && lgetxattr(p, "", x, sizeof x) == -1); // ERANGE or EFAULT
    char *end = x;
    MUST((errno = 0, strtol(p, &end, UNKNOWN(1))) == 0 && errno == EINVAL && end == x);
    MUST((errno = 0, strtoull(p, &end, UNKNOWN(99))) == 0 && errno == EINVAL && end == x);
    MUST(syscall(456 /* futex_requeue */, p, 0, 0, 0) == -1); // ENOSYS, where it is not known
}

// Between this stack and the thread's own lies what is wrong.
static char other_stack[262144];
static ucontext_t own, other;

static void calls_elsewhere(void) {
    calls(wrong[0]);
    calls(wrong[1]);
}

THREAD(writer) {
    x[0] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

int main(void) {
    wrong[1] = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    epoll = epoll_create1(0);
    file = open("/dev/null", O_RDWR);
    MUST(wrong[1] != MAP_FAILED && epoll >= 0 && file >= 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    calls(wrong[0]);
    calls(wrong[1]);
    getcontext(&other);
    other.uc_stack.ss_sp = other_stack;
    other.uc_stack.ss_size = sizeof other_stack;
    other.uc_link = &own;
    makecontext(&other, calls_elsewhere, 0);
    MUST(swapcontext(&own, &other) == 0);
    FAILS(EINVAL, sendto(pair[0], x + 4, 1, 0, (void *)x, (socklen_t)-1));

    FILE *f = fopen("/dev/null", "r");
    char *line = NULL;
    size_t n = 0, *volatile no_n = NULL;
    char **volatile no_line = NULL;
    FAILS(EINVAL, getline(no_line, &n, f));
    FAILS(EINVAL, getdelim(&line, no_n, ' ', f));

    static char stack[65536];
    int (*volatile no_function)(void *) = NULL;
    FAILS(EINVAL, clone(no_function, stack + sizeof stack, SIGCHLD, NULL));

    pthread_t t;
    MUST(pthread_create(&t, NULL, writer, NULL) == 0);
    turn_wait(1);
    if (racy)
        FAILS(EFAULT, sendmsg(pair[0], &(struct msghdr){.msg_iov = &part, .msg_iovlen = 1, .msg_name = wrong[1], .msg_namelen = 16}, 0)); //@race 2 read 8
    pthread_join(t, NULL);
}
