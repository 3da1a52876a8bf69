// SPDX-License-Identifier: Apache-2.0
// A lock of a file is given up when it becomes one for reading, and with the last descriptor of its open file, however that goes. Racy: the data is
// written after that.
// peer-skip: libtsan does not know locks of files
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

enum way { SHARED, OFD_SHARED, CLOSED, OFD_CLOSED, COPY_CLOSED, REPLACED, RANGE_CLOSED, STREAM_CLOSED, WAYS };

static int mine[WAYS], other[WAYS];
int x[WAYS];

static int ofd_lock(int fd, int type) {
    struct flock l = {.l_type = (short)type, .l_whence = SEEK_SET, .l_len = 10};
    return fcntl(fd, F_OFD_SETLK, &l);
}

static int lock(enum way way, int fd, int operation) {
    return way == OFD_SHARED || way == OFD_CLOSED ? ofd_lock(fd, operation == LOCK_SH ? F_RDLCK : F_WRLCK) : flock(fd, operation | LOCK_NB);
}

static void give_up(enum way way, FILE *stream) {
    int fd = mine[way];
    switch (way) {
    case SHARED:
    case OFD_SHARED: MUST(lock(way, fd, LOCK_SH) == 0); break;
    case COPY_CLOSED: MUST(dup2(fd, 60) == 60 && close(fd) == 0 && close(60) == 0); break;
    case REPLACED: MUST(dup2(STDIN_FILENO, fd) == fd); break;
    case RANGE_CLOSED: MUST(close_range((unsigned)fd, (unsigned)fd, 0) == 0); break;
    case STREAM_CLOSED: MUST(fclose(stream) == 0); break;
    default: MUST(close(fd) == 0);
    }
}

THREAD(first) {
    for (int way = 0; way < WAYS; way++) {
        FILE *stream = way == STREAM_CLOSED ? fdopen(mine[way], "w") : NULL;
        turn_wait(2 * way);
        MUST(lock(way, mine[way], LOCK_EX) == 0);
        if (racy)
            give_up(way, stream);
        x[way] = 1; //@race 1 write 4
        if (!racy)
            give_up(way, stream);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    for (int way = 0; way < WAYS; way++) {
        turn_wait(2 * way + 1);
        MUST(lock(way, other[way], way == SHARED || way == OFD_SHARED ? LOCK_SH : LOCK_EX) == 0);
        USE(x[way]); //@race 2 read 4
        turn_pass();
    }
    return NULL;
}

int main(void) {
    for (int way = 0; way < WAYS; way++) {
        char name[] = "/tmp/lock.XXXXXX";
        mine[way] = mkstemp(name);
        other[way] = open(name, O_RDWR);
        MUST(mine[way] >= 0 && other[way] >= 0);
        unlink(name);
    }
    RUN(first, second);
    return 0;
}
