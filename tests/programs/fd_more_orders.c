// SPDX-License-Identifier: Apache-2.0
// Who takes bytes out of a pipe by vmsplice comes after who wrote them; who accepts a connection, after what made it and sent at once. Racy: the data is written after that.
// peer-skip: libtsan orders sockets only
#include "tests/programs/invisible.h"
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <fcntl.h>
#include <unistd.h>

enum { WAYS = 2 };

static int fd[2], client, server;
static struct sockaddr_in at = {.sin_family = AF_INET};
_Alignas(8) int x[WAYS][2];

static void give(int way) {
    if (way == 0) {
        MUST(write(fd[1], "x", 1) == 1);
        return;
    }
    if (sendto(client, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&at, sizeof at) != 1) // where the system does not allow it
        MUST(errno == EOPNOTSUPP && connect(client, (struct sockaddr *)&at, sizeof at) == 0);
}

static void take(int way) {
    char byte;
    if (way == 0)
        MUST(vmsplice(fd[0], &(struct iovec){&byte, 1}, 1, 0) == 1 && byte == 'x');
    else
        MUST(accept(server, NULL, NULL) >= 0);
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        if (racy)
            give(way);
        x[way][0] = 1; //@race 1 write 4
        if (!racy)
            give(way);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int way = 0; way < WAYS; way++) {
        take(way);
        USE(x[way][0]); //@race 2 read 4
    }
    return NULL;
}

int main(void) {
    socklen_t n = sizeof at;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client = socket(AF_INET, SOCK_STREAM, 0);
    server = socket(AF_INET, SOCK_STREAM, 0);
    MUST(pipe(fd) == 0 && bind(server, (struct sockaddr *)&at, sizeof at) == 0 && listen(server, 1) == 0);
    MUST(getsockname(server, (struct sockaddr *)&at, &n) == 0);
    RUN(first, second);
    return 0;
}
