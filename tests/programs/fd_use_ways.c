// SPDX-License-Identifier: Apache-2.0
// A number of a descriptor is a variable that each call reads which is given it, and that close writes. Racy: nothing orders them.
// peer-skip: libtsan does not know of all of these calls
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WAYS = 26 };

static int fd[WAYS], other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void order(void) {
    if (racy)
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static int zero(void) { return open("/dev/zero", O_RDWR); }
static int stream(void) { return socket(AF_INET, SOCK_STREAM, 0); }

static void make(void) {
    static int (*const with[WAYS])(void) = {['J' - 'A'] = stream, ['K' - 'A'] = stream, ['L' - 'A'] = stream, ['M' - 'A'] = stream,
                                            ['N' - 'A'] = stream, ['O' - 'A'] = stream, ['P' - 'A'] = stream};
    for (int i = 0; i < WAYS; i++)
        MUST((fd[i] = with[i] ? with[i]() : zero()) >= 0);
    MUST(close(fd['H' - 'A']) == 0 && (fd['H' - 'A'] = epoll_create1(0)) >= 0);
    MUST(close(fd['Q' - 'A']) == 0 && (fd['Q' - 'A'] = eventfd(1, EFD_NONBLOCK)) >= 0);
    MUST(close(fd['R' - 'A']) == 0 && (fd['R' - 'A'] = timerfd_create(CLOCK_MONOTONIC, 0)) >= 0);
    MUST((other = eventfd(1, 0)) >= 0);
}

THREAD(uses) {
    char byte = 0;
    struct iovec v = {&byte, 1};
    struct stat st;
    struct epoll_event event = {.events = EPOLLIN};
    struct pollfd asked = {.fd = fd['F' - 'A'], .events = POLLIN};
    struct sockaddr_in at = {.sin_family = AF_INET};
    struct itimerspec never = {0};
    socklen_t n = sizeof at;
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd['S' - 'A'], &set);
    MUST(read(fd['A' - 'A'], &byte, 1) == 1);                           //@race A1 read 8
    MUST(write(fd['B' - 'A'], &byte, 1) == 1);                          //@race B1 read 8
    MUST(pread(fd['C' - 'A'], &byte, 1, 0) == 1);                       //@race C1 read 8
    MUST(writev(fd['D' - 'A'], &v, 1) == 1);                            //@race D1 read 8
    MUST(fcntl(fd['E' - 'A'], F_GETFL) >= 0);                           //@race E1 read 8
    MUST(poll(&asked, 1, 0) == 1);                                      //@race F1 read 8
    MUST(dup(fd['G' - 'A']) >= 0);                                      //@race G1 read 8
    MUST(epoll_ctl(fd['H' - 'A'], EPOLL_CTL_ADD, other, &event) == 0);  //@race H1 read 8
    MUST(fstat(fd['I' - 'A'], &st) == 0);                               //@race I1 read 8
    MUST(bind(fd['J' - 'A'], (struct sockaddr *)&at, n) == 0);          //@race J1 read 8
    MUST(listen(fd['K' - 'A'], 1) == 0);                                //@race K1 read 8
    MUST(accept(fd['L' - 'A'], NULL, NULL) < 0);                        //@race L1 read 8
    MUST(connect(fd['M' - 'A'], (struct sockaddr *)&at, n) < 0);        //@race M1 read 8
    MUST(shutdown(fd['N' - 'A'], SHUT_RDWR) < 0);                       //@race N1 read 8
    MUST(getsockname(fd['O' - 'A'], (struct sockaddr *)&at, &n) == 0);  //@race O1 read 8
    MUST(send(fd['P' - 'A'], &byte, 1, MSG_NOSIGNAL) < 0);              //@race P1 read 8
    MUST(eventfd_write(fd['Q' - 'A'], 1) == 0);                         //@race Q1 read 8
    MUST(timerfd_settime(fd['R' - 'A'], 0, &never, NULL) == 0);         //@race R1 read 8
    MUST(select(fd['S' - 'A'] + 1, &set, NULL, NULL, NULL) == 1);       //@race S1 read 8
    MUST(dprintf(fd['T' - 'A'], "%d", 1) == 1);                         //@race T1 read 8
    MUST(flock(fd['U' - 'A'], LOCK_UN) == 0);                           //@race U1 read 8
    MUST(ioctl(fd['V' - 'A'], FIONREAD, &n) < 0);                       //@race V1 read 8
    MUST(fdopen(fd['W' - 'A'], "r") != NULL);                           //@race W1 read 8
    MUST(dup2(fd['X' - 'A'], other) == other);                          //@race X1 read 8
    MUST(splice(fd['Y' - 'A'], NULL, other, NULL, 1, 0)        < 0);   //@race Y1 read 8
    MUST(fstatvfs(fd['Z' - 'A'], &(struct statvfs){0}) == 0);           //@race Z1 read 8
    order();
    turn_pass();
    return NULL;
}

#define CLOSE(letter) MUST(close(fd[letter - 'A']) == 0)

THREAD(closes) {
    turn_wait(1);
    order();
    CLOSE('A'); //@race A2 write 8
    CLOSE('B'); //@race B2 write 8
    CLOSE('C'); //@race C2 write 8
    CLOSE('D'); //@race D2 write 8
    CLOSE('E'); //@race E2 write 8
    CLOSE('F'); //@race F2 write 8
    CLOSE('G'); //@race G2 write 8
    CLOSE('H'); //@race H2 write 8
    CLOSE('I'); //@race I2 write 8
    CLOSE('J'); //@race J2 write 8
    CLOSE('K'); //@race K2 write 8
    CLOSE('L'); //@race L2 write 8
    CLOSE('M'); //@race M2 write 8
    CLOSE('N'); //@race N2 write 8
    CLOSE('O'); //@race O2 write 8
    CLOSE('P'); //@race P2 write 8
    CLOSE('Q'); //@race Q2 write 8
    CLOSE('R'); //@race R2 write 8
    CLOSE('S'); //@race S2 write 8
    CLOSE('T'); //@race T2 write 8
    CLOSE('U'); //@race U2 write 8
    CLOSE('V'); //@race V2 write 8
    CLOSE('W'); //@race W2 write 8
    CLOSE('X'); //@race X2 write 8
    CLOSE('Y'); //@race Y2 write 8
    CLOSE('Z'); //@race Z2 write 8
    return NULL;
}

int main(void) {
    make();
    RUN(uses, closes);
    return 0;
}
