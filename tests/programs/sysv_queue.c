// SPDX-License-Identifier: Apache-2.0
// A message of a System V queue orders the sender before the receiver. Racy: the data is written after it was sent.
// peer-skip: libtsan does not order by System V queues
#include "tests/programs/invisible.h"
#include <sys/ipc.h>
#include <sys/msg.h>

static int queue;
static struct message {
    long type;
    char text[8];
} out = {.type = 1}, in;
int x;

THREAD(first) {
    if (racy)
        MUST(msgsnd(queue, &out, sizeof out.text, 0) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(msgsnd(queue, &out, sizeof out.text, 0) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(msgrcv(queue, &in, sizeof in.text, 0, 0) == sizeof in.text);
    MUST(msgctl(queue, IPC_RMID, NULL) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    queue = msgget(IPC_PRIVATE, 0600);
    MUST(queue >= 0);
    RUN(first, second);
    return 0;
}
