// SPDX-License-Identifier: Apache-2.0
// A lock of a file, taken by two open files in turn, orders who gave it up before who got it. Racy: the data is
// written after that.
// peer-skip: libtsan does not know flock
#include "tests/programs/invisible.h"
#include <sys/file.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static int a, b;
int x;

THREAD(first) {
    if (racy)
        MUST(flock(a, LOCK_UN) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(flock(a, LOCK_UN) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(flock(b, LOCK_EX) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    char name[] = "/tmp/flock.XXXXXX";
    a = mkstemp(name);
    b = open(name, O_RDWR);
    MUST(a >= 0 && b >= 0 && flock(a, LOCK_EX) == 0);
    unlink(name);
    RUN(first, second);
    return 0;
}
