// SPDX-License-Identifier: Apache-2.0
// Order goes by what a name stands for, and not by a hash of it: thread 2 takes the locks of forty thousand files, none of which thread 1 has locked.
#include "tests/programs/invisible.h"
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FILES = 40000 };
static int data, one;

static void lock_and_unlock(int fd) {
    MUST(fd >= 0 && flock(fd, LOCK_EX) == 0 && flock(fd, LOCK_UN) == 0);
}

THREAD(first) {
    data = 1; //@race 1 write 4
    lock_and_unlock(one);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    for (int i = 0; i < FILES; i++) {
        int fd = memfd_create("another", 0);
        lock_and_unlock(fd);
        close(fd);
    }
    if (!racy)
        lock_and_unlock(one);
    data = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    one = memfd_create("one", 0);
    RUN(first, second);
    return data != 2;
}
