// SPDX-License-Identifier: Apache-2.0
// Bytes through a connection of two local sockets order in both directions. Racy: the data is written after the byte.
#include "tests/programs/invisible.h"
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int server, client, peer;
_Alignas(8) int x;
_Alignas(8) int y;

static void tell(int fd) {
    MUST(write(fd, "a", 1) == 1);
}

static void hear(int fd) {
    char c;
    MUST(read(fd, &c, 1) == 1);
}

THREAD(first) {
    if (racy)
        tell(client);
    x = 1; //@race A1 write 4
    if (!racy)
        tell(client);
    turn_pass();
    turn_wait(2);
    hear(client);
    USE(y); //@race B2 read 4
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    hear(peer);
    USE(x); //@race A2 read 4
    if (racy)
        tell(peer);
    y = 1; //@race B1 write 4
    if (!racy)
        tell(peer);
    turn_pass();
    return NULL;
}

int main(void) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    socklen_t n = sizeof(sa_family_t);
    server = socket(AF_UNIX, SOCK_STREAM, 0);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    MUST(bind(server, (struct sockaddr *)&address, n) == 0 && listen(server, 1) == 0); /* a name of the kernel's choice */
    n = sizeof address;
    MUST(getsockname(server, (struct sockaddr *)&address, &n) == 0);
    MUST(connect(client, (struct sockaddr *)&address, n) == 0);
    peer = accept(server, NULL, NULL);
    MUST(peer >= 0);
    RUN(first, second);
    return 0;
}
