// SPDX-License-Identifier: Apache-2.0
// Who sees that an operation has ended comes after who started it. Racy: the data is written after the start.
// peer-skip: libtsan does not know aio
#include "tests/programs/invisible.h"
#include <aio.h>
#include <errno.h>
#include <unistd.h>

static int fd[2];
static char byte = 1;
static struct aiocb block = {.aio_buf = &byte, .aio_nbytes = 1};
int x;

THREAD(first) {
    if (racy)
        MUST(aio_write(&block) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(aio_write(&block) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    while (aio_error(&block) == EINPROGRESS)
        hidden_yield();
    MUST(aio_return(&block) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    block.aio_fildes = fd[1];
    RUN(first, second);
    return 0;
}
