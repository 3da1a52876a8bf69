// SPDX-License-Identifier: Apache-2.0
// A thread that reads a connection to its end is ordered after who shut it down at the other one, and may close both. Racy: the other end is
// closed by who does not wait for that.
#include "tests/programs/invisible.h"
#include <sys/socket.h>
#include <unistd.h>

static int end[2];

THREAD(reads) {
    char byte;
    MUST(recv(end[0], &byte, 1, 0) == 0); //@race 1 read 8
    if (!racy)
        MUST(close(end[1]) == 0);
    turn_pass();
    turn_wait(2);
    MUST(racy || close(end[0]) == 0);
    return NULL;
}

THREAD(ends) {
    MUST(shutdown(end[1], SHUT_RDWR) == 0);
    turn_wait(1);
    if (racy)
        MUST(close(end[0]) == 0); //@race 2 write 8
    turn_pass();
    return NULL;
}

int main(void) {
    MUST(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
    RUN(reads, ends);
    return 0;
}
