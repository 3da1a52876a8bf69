// SPDX-License-Identifier: Apache-2.0
// Who is told that bytes or messages are there, or what a semaphore's value is, comes after who sent them, or set it. Racy: the data is written after that.
// peer-skip: libtsan does not know of these
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <unistd.h>

enum way { FIONREAD_, MQ_GETATTR, IPC_STAT_, SETVAL_, SETALL_, GETVAL_, GETALL_, WAYS };

static struct {
    long type;
    char text;
} m = {1, 'x'};
static int fd[2], queue, set[WAYS];
static mqd_t mq;
int x[WAYS];

static void tell(enum way way) {
    unsigned short one = 1;
    switch (way) {
    case FIONREAD_: MUST(write(fd[1], &m.text, 1) == 1); break;
    case MQ_GETATTR: MUST(mq_send(mq, &m.text, 1, 0) == 0); break;
    case IPC_STAT_: MUST(msgsnd(queue, &m, 1, 0) == 0); break;
    case SETALL_:
    case GETALL_: MUST(semctl(set[way], 0, SETALL, &one) == 0); break;
    default: MUST(semctl(set[way], 0, SETVAL, 1) == 0);
    }
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 * way);
        if (racy)
            tell(way);
        x[way] = 1; //@race 1 write 4
        if (!racy)
            tell(way);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    struct sembuf take = {0, -1, 0};
    for (int way = 0; way < WAYS; way++) {
        struct mq_attr attr;
        struct msqid_ds state;
        unsigned short value = 0;
        int n = 0;
        turn_wait(2 * way + 1);
        switch (way) {
        case FIONREAD_: MUST(ioctl(fd[0], FIONREAD, &n) == 0 && n == 1); break;
        case MQ_GETATTR: MUST(mq_getattr(mq, &attr) == 0 && attr.mq_curmsgs == 1); break;
        case IPC_STAT_: MUST(msgctl(queue, IPC_STAT, &state) == 0 && state.msg_qnum == 1); break;
        case GETVAL_: MUST(semctl(set[way], 0, GETVAL) == 1); break;
        case GETALL_: MUST(semctl(set[way], 0, GETALL, &value) == 0 && value == 1); break;
        default: MUST(semop(set[way], &take, 1) == 0);
        }
        USE(x[way]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

int main(void) {
    struct mq_attr attr = {.mq_maxmsg = 4, .mq_msgsize = 64};
    char name[64];
    snprintf(name, sizeof name, "/fd_bytes_told.%d", (int)getpid());
    queue = msgget(IPC_PRIVATE, 0600);
    mq = mq_open(name, O_CREAT | O_RDWR, 0600, &attr);
    MUST(queue >= 0 && mq >= 0 && pipe(fd) == 0);
    mq_unlink(name);
    for (int way = 0; way < WAYS; way++)
        MUST((set[way] = semget(IPC_PRIVATE, 1, 0600)) >= 0);
    RUN(first, second);
    msgctl(queue, IPC_RMID, NULL);
    for (int way = 0; way < WAYS; way++)
        semctl(set[way], 0, IPC_RMID);
    return 0;
}
