// SPDX-License-Identifier: Apache-2.0
// A FIFO that both sides open by its name orders as a pipe does. Racy: the data is written after the byte.
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int in, out;
int x;

THREAD(first) {
    if (racy)
        MUST(write(out, "a", 1) == 1);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(write(out, "a", 1) == 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char c;
    MUST(read(in, &c, 1) == 1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    char name[] = "/tmp/fifo.XXXXXX", path[64];
    MUST(mkdtemp(name) != NULL);
    for (int i = 0; i <= (int)sizeof name - 1; i++)
        path[i] = name[i];
    path[sizeof name - 1] = '/', path[sizeof name] = 'f', path[sizeof name + 1] = 0;
    MUST(mkfifo(path, 0600) == 0);
    in = open(path, O_RDONLY | O_NONBLOCK);
    out = open(path, O_WRONLY);
    MUST(in >= 0 && out >= 0);
    unlink(path);
    rmdir(name);
    RUN(first, second);
    return 0;
}
