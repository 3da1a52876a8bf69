// SPDX-License-Identifier: Apache-2.0
// Bytes through a connection order the sender before the receiver, and through no other connection. Racy: the receiver reads
// from another connection.
// peer-skip: libtsan takes all sockets for one
#include "tests/programs/invisible.h"
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

static int near_[2], far_[2];
int x;

THREAD(first) {
    x = 1; //@race 1 write 4
    MUST(write(near_[0], "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    char c;
    turn_wait(1);
    MUST(read(far_[racy], &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t n = sizeof address;
    int server = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MUST(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 2) == 0);
    MUST(getsockname(server, (struct sockaddr *)&address, &n) == 0);
    for (int i = 0; i < 2; i++) {
        near_[i] = socket(AF_INET, SOCK_STREAM, 0);
        MUST(connect(near_[i], (struct sockaddr *)&address, sizeof address) == 0);
        far_[i] = accept(server, NULL, NULL);
        MUST(far_[i] >= 0);
    }
    MUST(write(near_[1], "b", 1) == 1);
    RUN(first, second);
    return 0;
}
