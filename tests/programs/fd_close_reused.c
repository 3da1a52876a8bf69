// SPDX-License-Identifier: Apache-2.0
// A number that was closed and is opened again, by whomever, is a new variable. Racy: the first thread goes on with the number that another
// has closed, before anybody opens it again.
// peer-skip: libtsan forgets the close
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int number;
static char byte[2];

THREAD(first) {
    turn_wait(1);
    if (racy)
        MUST(read(number, &byte[0], 1) < 0); //@race 2 read 8
    int fd = open("/dev/zero", O_RDONLY);
    MUST(fd == number && read(fd, &byte[0], 1) == 1 && close(fd) == 0);
    turn_pass();
    turn_wait(3);
    fd = (int)hidden_syscall(SYS_dup, 0, 0, 0, 0); // where nobody sees it
    MUST(fd == number && lseek(fd, 0, SEEK_CUR) != 1 && read(fd, &byte[0], 0) <= 0 && close(fd) == 0);
    return NULL;
}

THREAD(second) {
    MUST(read(number, &byte[1], 1) == 1 && close(number) == 0); //@race 1 write 8
    turn_pass();
    turn_wait(2);
    int fd = open("/dev/zero", O_RDONLY);
    MUST(fd == number && read(fd, &byte[1], 1) == 1 && close(fd) == 0);
    turn_pass();
    return NULL;
}

int main(void) {
    number = open("/dev/zero", O_RDONLY);
    RUN(first, second);
    return 0;
}
