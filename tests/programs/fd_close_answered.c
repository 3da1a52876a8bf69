// SPDX-License-Identifier: Apache-2.0
// One thread asks another process, or shuts a socket down; the other one reads the answer, or the end, and closes: it comes after the first one's
// call, although nothing in this process says so. Racy: the first one also waits for an answer, or asks for an option, which nobody answers.
// reports: 2
#include "tests/programs/invisible.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int asks, pair[2];

// Another process, which answers once; nobody here sees the order.
static pid_t answers(int listener) {
    pid_t child = fork();
    MUST(child >= 0);
    if (child)
        return child;
    char c;
    int fd = accept(listener, NULL, NULL);
    _exit(fd < 0 || read(fd, &c, 1) != 1 || write(fd, &c, 1) != 1);
}

THREAD(first) {
    char c = 1;
    if (racy)
        recv(asks, &c, 1, MSG_DONTWAIT); //@race A1 read 8
    MUST(send(asks, &c, 1, 0) == 1);
    if (racy) {
        int on;
        socklen_t n = sizeof on;
        MUST(shutdown(pair[0], SHUT_RDWR) == 0);
        MUST(getsockopt(pair[0], SOL_SOCKET, SO_TYPE, &on, &n) == 0); //@race B1 read 8
    } else {
        MUST(shutdown(pair[0], SHUT_RDWR) == 0);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    char c;
    turn_wait(1);
    MUST(recv(asks, &c, 1, 0) == 1);
    close(asks); //@race A2 write 8
    MUST(recv(pair[0], &c, 1, 0) == 0);
    close(pair[0]); //@race B2 write 8
    return NULL;
}

int main(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    MUST(listener >= 0 && bind(listener, (struct sockaddr *)&at, n) == 0 && listen(listener, 1) == 0);
    MUST(getsockname(listener, (struct sockaddr *)&at, &n) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
    pid_t child = answers(listener);
    asks = socket(AF_INET, SOCK_STREAM, 0);
    MUST(asks >= 0 && connect(asks, (struct sockaddr *)&at, n) == 0);
    RUN(first, second);
    int status;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
