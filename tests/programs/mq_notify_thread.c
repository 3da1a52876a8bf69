// SPDX-License-Identifier: Apache-2.0
// A message queue calls a function on a thread of libc's own when a message comes: after who sent it. Racy: the data is
// written after the message was sent.
// peer-skip: libtsan does not know such threads
// skip emulated: qemu has no SIGEV_THREAD
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>

static mqd_t queue;
static long written;
int x;

static void came(union sigval value) {
    MUST(value.sival_int == 6);
    while (racy && !hidden_get(&written))
        hidden_yield();
    USE(x); //@race 2 read 4 in came
    turn_pass();
}

static void tell(void) {
    MUST(mq_send(queue, "a", 1, 0) == 0);
}

THREAD(first) {
    if (racy)
        tell();
    x = 1; //@race 1 write 4 in first
    hidden_put(&written, 1);
    if (!racy)
        tell();
    return NULL;
}

int main(void) {
    struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = 8};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_value = {.sival_int = 6}};
    event.sigev_notify_function = came;
    char name[32] = "/goldilocks.";
    for (long pid = hidden_syscall(SYS_getpid, 0, 0, 0, 0), i = 12; pid; pid /= 10)
        name[i++] = (char)('0' + pid % 10);
    mq_unlink(name);
    queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    MUST(queue >= 0 && mq_notify(queue, &event) == 0);
    mq_unlink(name);
    RUN(first);
    turn_wait(1);
    return 0;
}
