// SPDX-License-Identifier: Apache-2.0
// Lines through a stream over a pipe order as its bytes do. Racy: the data is written after the line.
// peer-skip: libtsan does not order by streams
#include "tests/programs/invisible.h"
#include <stdio.h>
#include <unistd.h>

static int fd[2];
static FILE *out, *in;
int x;

THREAD(first) {
    if (racy)
        MUST(fputs("line\n", out) >= 0 && fflush(out) == 0);
    x = 1; //@race 1 write 4
    if (!racy)
        MUST(fputs("line\n", out) >= 0 && fflush(out) == 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    char line[16];
    MUST(fgets(line, sizeof line, in) != NULL);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    MUST(pipe(fd) == 0);
    in = fdopen(fd[0], "r");
    out = fdopen(fd[1], "w");
    MUST(in && out);
    RUN(first, second);
    return 0;
}
