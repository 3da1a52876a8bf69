// SPDX-License-Identifier: Apache-2.0
// A local socket is the same under all names of its file: who accepts comes after who connects, and who receives after who sends. Racy: the data is written after that.
// peer-skip: libtsan orders by all sockets
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { WAYS = 2 };

static int server, client, receiver, sender;
static struct sockaddr_un whole[WAYS];
_Alignas(8) int x[WAYS][2];

static void give(int way) {
    const struct sockaddr *to = (const struct sockaddr *)&whole[way];
    if (way == 0)
        MUST(connect(client, to, sizeof whole[way]) == 0);
    else
        MUST(sendto(sender, "x", 1, 0, to, sizeof whole[way]) == 1);
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
    char byte;
    turn_wait(1);
    for (int way = 0; way < WAYS; way++) {
        if (way == 0)
            MUST(accept(server, NULL, NULL) >= 0);
        else
            MUST(recv(receiver, &byte, 1, 0) == 1);
        USE(x[way][0]); //@race 2 read 4
    }
    return NULL;
}

int main(void) {
    char folder[] = "/tmp/local.XXXXXX";
    struct sockaddr_un near[WAYS] = {{AF_UNIX, "listens"}, {AF_UNIX, "receives"}};
    server = socket(AF_UNIX, SOCK_STREAM, 0);
    client = socket(AF_UNIX, SOCK_STREAM, 0);
    receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
    sender = socket(AF_UNIX, SOCK_DGRAM, 0);
    MUST(mkdtemp(folder) && chdir(folder) == 0);
    MUST(bind(server, (struct sockaddr *)&near[0], sizeof near[0]) == 0 && listen(server, 1) == 0);
    MUST(bind(receiver, (struct sockaddr *)&near[1], sizeof near[1]) == 0);
    for (int way = 0; way < WAYS; way++) {
        whole[way].sun_family = AF_UNIX;
        snprintf(whole[way].sun_path, sizeof whole[way].sun_path, "%.32s/%.32s", folder, near[way].sun_path);
    }
    RUN(first, second);
    for (int way = 0; way < WAYS; way++)
        unlink(whole[way].sun_path);
    MUST(rmdir(folder) == 0);
    return 0;
}
