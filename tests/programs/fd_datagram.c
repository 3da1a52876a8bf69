// SPDX-License-Identifier: Apache-2.0
// A datagram orders its sender before its receiver. Racy: the data is written after it was sent.
// peer-skip: libtsan does not order datagrams
#include "tests/programs/invisible.h"
#include <netinet/in.h>
#include <sys/socket.h>

static int in, out;
static struct sockaddr_in address = {.sin_family = AF_INET};
int x;

static void tell(void) {
    MUST(sendto(out, "a", 1, 0, (struct sockaddr *)&address, sizeof address) == 1);
}

THREAD(first) {
    if (racy)
        tell();
    x = 1; //@race 1 write 4
    if (!racy)
        tell();
    turn_pass();
    return NULL;
}

THREAD(second) {
    char c;
    turn_wait(1);
    MUST(recvfrom(in, &c, 1, 0, NULL, NULL) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    socklen_t n = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    in = socket(AF_INET, SOCK_DGRAM, 0);
    out = socket(AF_INET, SOCK_DGRAM, 0);
    MUST(bind(in, (struct sockaddr *)&address, sizeof address) == 0);
    MUST(getsockname(in, (struct sockaddr *)&address, &n) == 0);
    RUN(first, second);
    return 0;
}
