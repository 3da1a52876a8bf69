// SPDX-License-Identifier: Apache-2.0
// The kernel gives a number that is free again to the next call that makes a descriptor: what came before the close comes
// before that call, and tables by number rest on it. Racy: the first thread writes to its entry after the close.
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <netinet/in.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { WAYS = 28 };

static int number, listening, self;
_Alignas(8) int x[WAYS][2];

// In libc since 2.36.
int pidfd_open(pid_t process, unsigned flags);
int pidfd_getfd(int process, int fd, unsigned flags);

static bool has_pidfd(void) {
    return strtol(gnu_get_libc_version() + 2, NULL, 10) >= 36;
}

// What the kernel may refuse, in older ones and to who may do little.
static int may(int fd) {
    return fd >= 0 ? fd : dup(0);
}

static int made(int fd, const char *name) {
    MUST(unlink(name) == 0);
    return fd;
}

static int make_shared(void) {
    char name[64];
    snprintf(name, sizeof name, "/goldilocks.fd_number.%d", (int)getpid());
    int fd = shm_open(name, O_CREAT | O_RDWR, 0600);
    MUST(shm_unlink(name) == 0);
    return fd;
}

static int make(int way) {
    int ends[2];
    char name[] = "/tmp/fd_number.XXXXXX", name_with_end[] = "/tmp/fd_number.XXXXXX.c";
    sigset_t none;
    switch (way) {
    case 0: return open("/dev/null", O_RDONLY);
    case 1: return openat(AT_FDCWD, "/dev/null", O_RDONLY);
    case 2: return socket(AF_INET, SOCK_STREAM, 0);
    case 3: return accept(listening, NULL, NULL);
    case 4: return accept4(listening, NULL, NULL, 0);
    case 5: return eventfd(0, 0);
    case 6: return timerfd_create(CLOCK_MONOTONIC, 0);
    case 7: return epoll_create1(0);
    case 8: return dup(0);
    case 9: return fcntl(0, F_DUPFD, 0);
    case 10: return inotify_init();
    case 11: return inotify_init1(0);
    case 12: return memfd_create("fd_number", 0);
    case 13: return fileno(fopen("/dev/null", "r"));
    case 14: MUST(pipe(ends) == 0); break;
    case 16: return made(mkstemps(name_with_end, 2), name_with_end);
    case 17: return made(mkstemps64(name_with_end, 2), name_with_end);
    case 18: return made(mkostemps(name_with_end, 2, O_CLOEXEC), name_with_end);
    case 19: return made(mkostemps64(name_with_end, 2, O_CLOEXEC), name_with_end);
    case 20: return make_shared();
    case 21: return posix_openpt(O_RDWR | O_NOCTTY);
    case 22: return getpt();
    case 23: MUST(openpty(&ends[0], &ends[1], NULL, NULL, NULL) == 0); break;
    case 24: return may(fanotify_init(0, 0));
    case 25: return has_pidfd() ? pidfd_open(getpid(), 0) : dup(0);
    case 26: return has_pidfd() ? may(pidfd_getfd(self, 0, 0)) : dup(0);
    case 15: MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0); break;
    default:
        MUST(sigemptyset(&none) == 0);
        MUST((ends[0] = signalfd(-1, &none, 0)) >= 0 && (ends[1] = mkstemp(name)) >= 0 && unlink(name) == 0);
    }
    MUST(close(ends[1]) == 0);
    return ends[0];
}

THREAD(first) {
    for (unsigned way = 0; way < WAYS; way++) {
        turn_wait(2 * way);
        if (racy)
            MUST(close(number) == 0);
        x[way][0] = 1; //@race 1 write 4
        if (!racy)
            MUST(close(number) == 0);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    for (unsigned way = 0; way < WAYS; way++) {
        turn_wait(2 * way + 1);
        int got = make((int)way);
        MUST(got == number);
        USE(x[way][0]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

static void connect_twice(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    listening = socket(AF_INET, SOCK_STREAM, 0);
    MUST(listening >= 0 && bind(listening, (struct sockaddr *)&at, n) == 0 && listen(listening, 2) == 0);
    MUST(getsockname(listening, (struct sockaddr *)&at, &n) == 0);
    for (int i = 0; i < 2; i++)
        MUST(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&at, n) == 0);
}

int main(void) {
    self = has_pidfd() ? pidfd_open(getpid(), 0) : -1;
    number = dup(0);
    connect_twice();
    RUN(first, second);
    return 0;
}
