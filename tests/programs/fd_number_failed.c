// SPDX-License-Identifier: Apache-2.0
// A close that fails frees no number: nothing is ordered by it. Racy: the second thread's open gets the number that the first
// one could not close. Twin: it could.
// peer-skip: libtsan does not know this order
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

static int number;
int x;

THREAD(first) {
    if (racy)
        MUST(close(number) == 0);
    x = 1; //@race 1 write 4
    MUST(close(number) == (racy ? -1 : 0));
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(open("/dev/null", O_RDONLY) == number);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    number = dup(0);
    RUN(first, second);
    return 0;
}
