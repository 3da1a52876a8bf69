// SPDX-License-Identifier: Apache-2.0
// What closes a number writes it, whatever the name of the call; a use of it by another thread that is not ordered before is a race.
// peer-skip: libtsan does not know of all of these calls
#include "tests/programs/invisible.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static int fd[8];
static FILE *stream, *again;
static DIR *folder;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void order(void) {
    if (racy)
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

int close_range(unsigned first, unsigned last, int flags);
void closefrom(int first);

THREAD(uses) {
    char byte;
    MUST(read(fd[0], &byte, 1) == 1);   //@race A1 read 8
    MUST(read(fd[1], &byte, 1) == 1);   //@race B1 read 8
    MUST(read(fd[2], &byte, 1) == 1);   //@race C1 read 8
    MUST(fcntl(fd[3], F_GETFL) >= 0);   //@race D1 read 8
    MUST(read(fd[4], &byte, 1) == 1);   //@race E1 read 8
    MUST(read(fd[5], &byte, 1) == 1);   //@race F1 read 8
    order();
    turn_pass();
    return NULL;
}

THREAD(closes) {
    turn_wait(1);
    order();
    MUST(close(fd[0]) == 0);                                 //@race A2 write 8
    MUST(fclose(stream) == 0);                               //@race B2 write 8
    MUST(freopen("/dev/null", "r", again) == again);         //@race C2 write 8
    MUST(closedir(folder) == 0);                             //@race D2 write 8
    MUST(close_range((unsigned)fd[4], (unsigned)fd[4], 0) == 0); //@race E2 write 8
    closefrom(fd[5]);                                        //@race F2 write 8
    return NULL;
}

int main(void) {
    DIR *none = NULL;
    MUST(closedir(UNKNOWN(none)) == -1 && errno == EINVAL); // as libc answers
    fd[0] = open("/dev/zero", O_RDONLY);
    fd[1] = fileno(stream = fopen("/dev/zero", "r"));
    fd[2] = fileno(again = fopen("/dev/zero", "r"));
    fd[3] = dirfd(folder = opendir("/"));
    fd[4] = open("/dev/zero", O_RDONLY);
    MUST((fd[5] = fcntl(fd[4], F_DUPFD, 200)) == 200);
    RUN(uses, closes);
    return 0;
}
