// SPDX-License-Identifier: Apache-2.0
// What a report says of a number: who made it, and who has closed it. The ends of a pipe are two numbers, and so is a copy.
// report: Location is file descriptor \d+ created by main thread at:\n    #0 main
// peer-skip: libtsan forgets the close
// report: Location is file descriptor \d+ destroyed by thread T1 at:\n    #0 first
#include "tests/programs/invisible.h"
#include <signal.h>
#include <unistd.h>

static int ends[2], copy;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void order(void) {
    if (racy)
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

THREAD(first) {
    MUST(close(ends[0]) == 0); //@race A1 write 8
    MUST(write(copy, "x", 1) < 0); //@race B1 read 8
    order();
    turn_pass();
    return NULL;
}

THREAD(second) {
    char byte;
    turn_wait(1);
    MUST(close(ends[1]) == 0); // used by nobody else
    order();
    MUST(read(ends[0], &byte, 1) < 0); //@race A2 read 8
    MUST(close(copy) == 0); //@race B2 write 8
    return NULL;
}

int main(void) {
    MUST(pipe(ends) == 0 && (copy = dup(ends[1])) >= 0);
    MUST(signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    RUN(first, second);
    return 0;
}
