// SPDX-License-Identifier: Apache-2.0
// dup2 gives a number another meaning without its being free in between, which is no race with who uses it: programs put /dev/null over what
// others may still read. A close is one. Racy: it is not ordered after the dup2.
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

static int over, from;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void order(void) {
    if (racy)
        return;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

THREAD(first) {
    MUST(dup2(from, over) == over); //@race 1 read 8
    order();
    turn_pass();
    return NULL;
}

THREAD(second) {
    char byte;
    MUST(read(over, &byte, 1) >= 0);
    turn_wait(1);
    order();
    MUST(close(over) == 0); //@race 2 write 8
    return NULL;
}

int main(void) {
    MUST((over = open("/dev/zero", O_RDONLY)) >= 0 && (from = open("/dev/null", O_RDONLY)) >= 0);
    RUN(first, second);
    return 0;
}
