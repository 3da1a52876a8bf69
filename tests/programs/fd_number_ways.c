// SPDX-License-Identifier: Apache-2.0
// What came before a close comes before who gets the number next, whatever closes and whatever opens. Racy: the first thread writes after
// the close.
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <unistd.h>

enum { WAYS = 5 };

static int number;
static FILE *stream;
static DIR *folder;
_Alignas(8) int x[WAYS][2];

static void make(unsigned way) {
    switch (way) {
    case 2: MUST((folder = opendir("/")) && dirfd(folder) == number); break;
    case 3: MUST((stream = fopen("/dev/null", "r")) && fileno(stream) == number); break;
    case 4: MUST(mq_open("/goldilocks.fd", O_CREAT | O_RDWR, 0600, NULL) == number && mq_unlink("/goldilocks.fd") == 0); break;
    default: MUST(fcntl64(0, F_DUPFD, 0) == number);
    }
}

static void end(unsigned way) {
    switch (way) {
    case 0: MUST(close_range((unsigned)number, (unsigned)number, 0) == 0); break;
    case 1: closefrom(number); break;
    case 2: MUST(closedir(folder) == 0); break;
    case 3: MUST(fclose(stream) == 0); break;
    default: MUST(mq_close(number) == 0);
    }
}

static int take(unsigned way) {
    switch (way % 3) {
    case 0: return dirfd(opendir("/"));
    case 1: return fcntl64(0, F_DUPFD, 0);
    default: return fileno(tmpfile());
    }
}

THREAD(first) {
    for (unsigned way = 0; way < WAYS; way++) {
        turn_wait(2 * way);
        make(way);
        if (racy)
            end(way);
        x[way][0] = 1; //@race 1 write 4
        if (!racy)
            end(way);
        turn_pass();
    }
    return NULL;
}

THREAD(second) {
    for (unsigned way = 0; way < WAYS; way++) {
        turn_wait(2 * way + 1);
        MUST(take(way) == number);
        USE(x[way][0]); //@race 2 read 4
        MUST(hidden_syscall(SYS_close, number, 0, 0, 0) == 0);
        turn_pass();
    }
    return NULL;
}

int main(void) {
    number = dup(0);
    MUST(number >= 0 && close(number) == 0);
    RUN(first, second);
    return 0;
}
