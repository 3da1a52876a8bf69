// SPDX-License-Identifier: Apache-2.0
// A function that a message queue shall call costs nothing if the queue refuses it, however often. Racy: two writes without order.
#include "tests/programs/invisible.h"
#include <errno.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/resource.h>

enum { TIMES = 20000, KILOBYTES_MOST = 300000 };

int x;

static void came(union sigval value) {
    (void)value;
}

THREAD(first) {
    x = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        x = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_THREAD};
    event.sigev_notify_function = came;
    for (int i = 0; i < TIMES; i++)
        MUST(mq_notify(-1, &event) == -1 && errno == EBADF);
    struct rusage used;
    MUST(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_maxrss < KILOBYTES_MOST);
    RUN(first, second);
    return 0;
}
