// SPDX-License-Identifier: Apache-2.0
// accept comes after connect. Racy: the data is written after the connection was made.
#include "tests/programs/invisible.h"
#include <netinet/in.h>
#include <sys/socket.h>

static int server, client;
static struct sockaddr_in address = {.sin_family = AF_INET};
int x;

static void dial(void) {
    MUST(connect(client, (struct sockaddr *)&address, sizeof address) == 0);
}

THREAD(first) {
    if (racy)
        dial();
    x = 1; //@race 1 write 4
    if (!racy)
        dial();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(accept(server, NULL, NULL) >= 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    socklen_t n = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    server = socket(AF_INET, SOCK_STREAM, 0);
    client = socket(AF_INET, SOCK_STREAM, 0);
    MUST(bind(server, (struct sockaddr *)&address, sizeof address) == 0 && listen(server, 1) == 0);
    MUST(getsockname(server, (struct sockaddr *)&address, &n) == 0);
    RUN(first, second);
    return 0;
}
