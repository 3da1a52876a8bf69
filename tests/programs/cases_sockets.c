// SPDX-License-Identifier: Apache-2.0
// Options, addresses and messages of sockets; message queues, waits and copies between descriptors: what is read and written.
// peer-skip: libtsan does not know all of these
// skip emulated: qemu has no epoll_pwait2
#include "tests/programs/cases.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *p, size_t n, size_t room, int flags, struct sockaddr *a, socklen_t *m);
int __poll_chk(struct pollfd *p, nfds_t n, int timeout, size_t room);
int __ppoll_chk(struct pollfd *p, nfds_t n, const struct timespec *timeout, const sigset_t *mask, size_t room);

static int option[4][2] = {{1, 0}, {1, 0}, {1, 0}, {1, 0}};
static socklen_t option_size[2] = {sizeof(int), 0};
static struct sockaddr_storage address[2];
static socklen_t address_size[2] = {sizeof(struct sockaddr_storage), 0};
static char text[16][16] = {"0123456789", "0123456789", "0123456789", "0123456789"};
static struct iovec part[4] = {{text[0], 4}, {text[1], 4}, {text[2], 4}, {text[3], 4}};
static struct mmsghdr out[2] = {{.msg_hdr = {.msg_iov = &part[0], .msg_iovlen = 1}}};
static struct mmsghdr in[2] = {{.msg_hdr = {.msg_iov = &part[1], .msg_iovlen = 1}}};
static struct pollfd ready[4][2];
static struct epoll_event event[4][2];
static struct itimerspec left[2];
static off_t at[2];
static off64_t at64[2];
static unsigned priority[2];
static struct aiocb64 reads_later64 = {.aio_buf = text[9], .aio_nbytes = 8}, writes_later64 = {.aio_buf = text[10], .aio_nbytes = 8};
static struct aiocb reads_later = {.aio_buf = text[8], .aio_nbytes = 8}, syncs_later;

static void cases(enum runs who) {
    int pair[2] = {-1, -1}, other[2] = {-1, -1}, file = -1, epoll = -1, timer = -1, pass[2] = {-1, -1}, null = -1;
    mqd_t queue = -1;
    const struct timespec now = {0, 0}, never = {4000000000, 0};
    DOES(MUST(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, other) == 0));
    DOES(MUST(pipe(pass) == 0 && (null = open("/dev/null", O_WRONLY)) >= 0));
    DOES(file = memfd_create("cases_sockets", 0); MUST(file >= 0 && write(file, "0123456789abcdef", 16) == 16));

    READS(setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &option[0][0], sizeof(int)) == 0, &option[0][0], &option[0][1]); //@case reads
    DOES(option[1][0] = 0; MUST(setsockopt(pair[0], SOL_SOCKET, SO_PASSCRED, &option[1][0], sizeof(int)) == 0));
    WRITES(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &option[2][0], &option_size[0]) == 0, &option[2][0], &option[2][1]); //@case writes
    WRITES(getpeername(pair[0], (struct sockaddr *)&address[0], &address_size[0]) == 0, &address[0].ss_family, &address[1]); //@case writes
    READS(sendmmsg(pair[0], &out[0], 1, 0) == 1, &text[0][3], &text[0][4]); //@case reads
    WRITES(recvmmsg(pair[1], &in[0], 1, 0, NULL) == 1, &text[1][3], &text[1][4]); //@case writes
    DOES(MUST(write(other[0], "0123456789abcdef", 16) == 16));
    WRITES(__recv_chk(other[1], text[4], 4, 16, 0) == 4, &text[4][3], &text[4][4]); //@case writes
    WRITES(__recvfrom_chk(other[1], text[5], 4, 16, 0, NULL, NULL) == 4, &text[5][3], &text[5][4]); //@case writes
    READS(shutdown(other[1], SHUT_WR) == 0, NULL, NULL);

    DOES(ready[0][0] = ready[1][0] = (struct pollfd){.fd = other[1], .events = POLLIN});
    READS(__poll_chk(&ready[0][0], 1, 0, sizeof ready[0]) == 1, NULL, &ready[0][1]);
    READS(__ppoll_chk(&ready[1][0], 1, &now, NULL, sizeof ready[1]) == 1, NULL, &ready[1][1]);
    DOES(MUST((epoll = epoll_create1(0)) >= 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, other[1], &(struct epoll_event){.events = EPOLLIN}) == 0));
    WRITES(epoll_pwait2(epoll, &event[0][0], 1, &now, NULL) == 1 || errno == ENOSYS, &event[0][0].events, &event[0][1]); //@case writes

    DOES(MUST((timer = timerfd_create(CLOCK_MONOTONIC, 0)) >= 0));
    WRITES(timerfd_gettime(timer, &left[0]) == 0, &left[0].it_value, &left[1]); //@case writes
    DOES(MUST((queue = mq_open("/goldilocks.cases", O_RDWR | O_CREAT, 0600, &(struct mq_attr){.mq_maxmsg = 4, .mq_msgsize = 16})) >= 0));
    DOES(MUST(mq_unlink("/goldilocks.cases") == 0));
    READS(mq_timedsend(queue, text[2], 4, 1, &never) == 0, &text[2][3], &text[2][4]); //@case reads
    WRITES(mq_timedreceive(queue, text[6], 16, &priority[0], &never) == 4, &text[6][3], &text[6][4]); //@case writes
    READS(mq_close(queue) == 0, NULL, NULL);

    DOES(MUST(write(pass[1], "0123", 4) == 4));
    WRITES(sendfile(null, file, &at[0], 8) == 8, &at[0], &at[1]); //@case writes
    WRITES(sendfile64(null, file, &at64[0], 8) == 8, &at64[0], &at64[1]); //@case writes
    DOES(reads_later.aio_fildes = syncs_later.aio_fildes = file);
    DOES(MUST(aio_read(&reads_later) == 0));
    DOES(const struct aiocb *wait = &reads_later; MUST(aio_suspend(&wait, 1, NULL) == 0 && aio_error(&reads_later) == 0 && aio_return(&reads_later) == 8));
    WRITES(text[8][7] == '7', NULL, &text[8][8]);
    DOES(reads_later64.aio_fildes = writes_later64.aio_fildes = file);
    DOES(MUST(aio_read64(&reads_later64) == 0));
    DOES(const struct aiocb64 *wait = &reads_later64; MUST(aio_suspend64(&wait, 1, NULL) == 0 && aio_error64(&reads_later64) == 0));
    WRITES(aio_return64(&reads_later64) == 8, NULL, &text[9][8]);
    READS(aio_write64(&writes_later64) == 0, &text[10][7], &text[10][8]); //@case reads
    DOES(const struct aiocb64 *wait = &writes_later64; MUST(aio_suspend64(&wait, 1, NULL) == 0 && aio_return64(&writes_later64) == 8));
    DOES(MUST(aio_fsync64(O_SYNC, &writes_later64) == 0));
    DOES(const struct aiocb64 *wait = &writes_later64; MUST(aio_suspend64(&wait, 1, NULL) == 0 && aio_return64(&writes_later64) >= -1));
    DOES(MUST(aio_fsync(O_SYNC, &syncs_later) == 0));
    DOES(const struct aiocb *wait = &syncs_later; MUST(aio_suspend(&wait, 1, NULL) == 0 && aio_return(&syncs_later) >= -1));
}

CASES_MAIN
