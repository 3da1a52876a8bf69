// SPDX-License-Identifier: Apache-2.0
// A message queue orders the sender before the receiver. Racy: the data is written after the message.
// peer-skip: libtsan does not know message queues
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <mqueue.h>

static mqd_t q;
int x;

THREAD(first) {
    if (racy)
        MUST(mq_send(q, "a", 1, 0) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(mq_send(q, "a", 1, 0) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c[8];
    MUST(mq_receive(q, c, sizeof c, NULL) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
    char name[32] = "/goldilocks.";
    for (long pid = hidden_syscall(SYS_getpid, 0, 0, 0, 0), i = 12; pid; pid /= 10)
        name[i++] = (char)('0' + pid % 10);
    mq_unlink(name);
    q = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    MUST(q >= 0);
    mq_unlink(name);
    RUN(first, second);
    return 0;
}
