// SPDX-License-Identifier: Apache-2.0
// Who has received bytes may write where they were sent from: a call that sends has read them before. Racy: the sender reads them again.
// peer-skip: libtsan reads what it sends after it has let the receiver go on
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

enum way { WRITE, WRITEV, HEAP_WRITEV, SENDMSG, SENDMMSG, SEND, SENDTO, VMSPLICE, DPRINTF, FPUTS, MSGSND, MQ_SEND, SEMOP, WAYS };

static struct message {
    long type;
    char text[16];
} m[WAYS];
static struct sembuf add = {0, 1, 0}, take = {0, -1, 0};
static int fd[2], pair[2], queue, set;
static mqd_t mq;
static FILE *stream;

static void send_by(enum way way, struct message *message, struct iovec *v, const void *elsewhere) {
    struct msghdr h = {.msg_iov = v, .msg_iovlen = 1};
    struct mmsghdr many = {.msg_hdr = h};
    switch (way) {
    case WRITE: MUST(write(fd[1], message->text, 4) == 4); break;
    case WRITEV: MUST(writev(fd[1], v, 1) == 4); break;
    case HEAP_WRITEV: MUST(writev(fd[1], elsewhere, 1) == 4); break;
    case SENDMSG: MUST(sendmsg(pair[0], &h, 0) == 4); break;
    case SENDMMSG: MUST(sendmmsg(pair[0], &many, 1, 0) == 1); break;
    case SEND: MUST(send(pair[0], message->text, 4, 0) == 4); break;
    case SENDTO: MUST(sendto(pair[0], message->text, 4, 0, NULL, 0) == 4); break;
    case VMSPLICE: MUST(vmsplice(fd[1], v, 1, 0) == 4); break;
    case DPRINTF: MUST(dprintf(fd[1], "%s", message->text) == 4); break;
    case FPUTS: MUST(fputs(message->text, stream) >= 0); break;
    case MSGSND: MUST(msgsnd(queue, message, 4, 0) == 0); break;
    case MQ_SEND: MUST(mq_send(mq, message->text, 4, 0) == 0); break;
    default: MUST(semop(set, &add, 1) == 0);
    }
}

THREAD(first) {
    static struct iovec elsewhere; // not on the stack
    for (int way = 0; way < WAYS; way++) {
        struct iovec v = {m[way].text, 4};
        elsewhere = v;
        turn_wait(2 * way);
        send_by(way, &m[way], &v, &elsewhere);
        if (racy && way == SEMOP)
            USE(add.sem_num); //@race B1 read 2
        else if (racy)
            USE(m[way].text[0]); //@race A1 read 1
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    struct message got;
    char bytes[64];
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 * way + 1);
        switch (way) {
        case SENDMSG:
        case SENDMMSG:
        case SEND:
        case SENDTO: MUST(recv(pair[1], bytes, 4, 0) == 4); break;
        case MSGSND: MUST(msgrcv(queue, &got, 4, 0, 0) == 4); break;
        case MQ_SEND: MUST(mq_receive(mq, bytes, sizeof bytes, NULL) == 4); break;
        case SEMOP: MUST(semop(set, &take, 1) == 0 && semctl(set, 0, IPC_RMID) == 0); break;
        default: MUST(read(fd[0], bytes, 4) == 4);
        }
        if (way == SEMOP)
            add.sem_num = 1; //@race B2 write 2
        else
            m[way].text[0] = 'x'; //@race A2 write 1
        turn_pass();
    }
    return NULL;
}

int main(void) {
    struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 64};
    char name[64];
    snprintf(name, sizeof name, "/fd_sent_written.%d", (int)getpid());
    for (int way = 0; way < WAYS; way++)
        m[way] = (struct message){1, "text"};
    queue = msgget(IPC_PRIVATE, 0600);
    set = semget(IPC_PRIVATE, 1, 0600);
    mq = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
    MUST(queue >= 0 && set >= 0 && mq >= 0 && pipe(fd) == 0 && socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
    mq_unlink(name);
    stream = fdopen(fd[1], "w");
    setvbuf(stream, NULL, _IONBF, 0);
    RUN(first, second);
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
