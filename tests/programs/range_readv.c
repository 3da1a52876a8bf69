// SPDX-License-Identifier: Apache-2.0
// readv writes each buffer of its vector as far as bytes came. Racy: a byte of the second buffer that came is read; in the
// twin one that did not.
#include "tests/programs/invisible.h"
#include <sys/uio.h>
#include <unistd.h>

static int fd[2];
char a[8];
_Alignas(8) char b[8];

THREAD(first) {
    struct iovec v[2] = {{a, 8}, {b, 8}};
    MUST(readv(fd[0], v, 2) == 12); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(b[3]); //@race 2 read 1
    else
        USE(b[4]);
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0 && write(fd[1], "0123456789ab", 12) == 12);
    RUN(first, second);
    return 0;
}
