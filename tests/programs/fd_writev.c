// SPDX-License-Identifier: Apache-2.0
// writev and readv order as write and read do. Racy: the data is written after the bytes.
#include "tests/programs/invisible.h"
#include <sys/uio.h>
#include <unistd.h>

static int fd[2];
static char a, b;
static struct iovec out = {&a, 1}, in = {&b, 1};
int x;

THREAD(first) {
    if (racy)
        MUST(writev(fd[1], &out, 1) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(writev(fd[1], &out, 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(readv(fd[0], &in, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    RUN(first, second);
    return 0;
}
