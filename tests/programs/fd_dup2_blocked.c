// SPDX-License-Identifier: Apache-2.0
// dup2 gives the number another meaning while a thread waits in read: that one reads from what the number was, and comes after who wrote there. Racy: the data is
// written after the byte.
// peer-skip: libtsan takes it for a read of the other one
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int fd[2], null;
static long reader;
int x;

// Until the thread sleeps in read().
static void wait_reading(void) {
    char name[64], what[8] = "";
    long tid;
    while (!(tid = hidden_get(&reader)))
        hidden_yield();
    snprintf(name, sizeof name, "/proc/self/task/%ld/syscall", tid);
    do {
        long file = hidden_syscall(SYS_openat, AT_FDCWD, (long)name, 0, 0);
        hidden_syscall(SYS_read, file, (long)what, sizeof what, 0);
        hidden_syscall(SYS_close, file, 0, 0, 0);
    } while (strtol(what, NULL, 10) != SYS_read || what[0] < '0' || what[0] > '9');
}

THREAD(reads) {
    char byte;
    hidden_put(&reader, hidden_tid());
    MUST(read(fd[0], &byte, 1) == 1);
    if (racy)
        turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

THREAD(writes) {
    wait_reading();
    MUST(dup2(null, fd[0]) == fd[0]);
    if (racy)
        MUST(write(fd[1], "x", 1) == 1);
    x = 1; //@race 1 write 4
    turn_pass();
    if (!racy)
        MUST(write(fd[1], "x", 1) == 1);
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0 && dup(fd[0]) >= 0 && (null = open("/dev/null", O_RDONLY)) >= 0);
    RUN(reads, writes);
    return 0;
}
