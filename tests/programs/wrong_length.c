// SPDX-License-Identifier: Apache-2.0
// Lengths beyond all memory are an error, or as much is moved as there is: at once, as without us. Racy: of what is sent in the right length one byte is written
// by another thread.
// peer-skip: libtsan looks at all of it, too
#include "tests/programs/invisible.h"
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <unistd.h>

static const size_t length[] = {-1ul, 1ul << 46, 1ul << 40, 1ul << 32};
static struct {
    long type;
    char text[8];
} message = {1, "message"};

#define FAILS(error, call) MUST((errno = 0, (call)) == -1 && errno == (error))

static void ends(struct aiocb *c) {
    const struct aiocb *const list[] = {c};
    MUST(aio_suspend(list, 1, NULL) == 0 && aio_error(c) != EINPROGRESS);
    (void)aio_return(c);
}

THREAD(writer) {
    if (racy)
        message.text[7] = 1; //@race 1 write 1
    turn_pass();
    return NULL;
}

int main(void) {
    static char control[64], bytes[64];
    int pair[2], null = open("/dev/null", O_RDWR), queue = msgget(IPC_PRIVATE, 0600);
    MUST(null >= 0 && queue >= 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    for (int i = 0; i < 4; i++) {
        struct msghdr m = {.msg_control = control, .msg_controllen = length[i]};
        FAILS(ENOBUFS, sendmsg(pair[0], &m, 0));
        FAILS(EINVAL, msgsnd(queue, &message, length[i], 0));
        if (i == 0)
            continue;
        struct aiocb c = {.aio_fildes = null, .aio_buf = bytes, .aio_nbytes = length[i]};
        MUST(aio_read(&c) == 0);
        ends(&c);
        MUST(aio_write(&c) == 0);
        ends(&c);
    }
    pthread_t t;
    MUST(pthread_create(&t, NULL, writer, NULL) == 0);
    turn_wait(1);
    MUST(msgsnd(queue, &message, sizeof message.text, 0) == 0); //@race 2 read 16
    MUST(msgctl(queue, IPC_RMID, NULL) == 0);
    pthread_join(t, NULL);
}
