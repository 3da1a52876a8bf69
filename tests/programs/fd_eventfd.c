// SPDX-License-Identifier: Apache-2.0
// Who reads an eventfd comes after who added to it. Racy: the data is written after the addition.
#include "tests/programs/invisible.h"
#include <sys/eventfd.h>

static int fd;
int x;

THREAD(first) {
    if (racy)
        MUST(eventfd_write(fd, 1) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(eventfd_write(fd, 1) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    eventfd_t value;
    MUST(eventfd_read(fd, &value) == 0);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    fd = eventfd(0, 0);
    MUST(fd >= 0);
    RUN(first, second);
    return 0;
}
