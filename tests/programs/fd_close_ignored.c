// SPDX-License-Identifier: Apache-2.0
// A use of a descriptor while reads are ignored, and a close while writes are, are no accesses. Racy: they are not ignored.
#include "tests/programs/invisible.h"
#include <fcntl.h>
#include <unistd.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static int number[2];

THREAD(first) {
    char byte[2];
    if (!racy)
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    MUST(read(number[0], &byte[0], 1) == 1); //@race A1 read 8
    if (!racy)
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    MUST(read(number[1], &byte[1], 1) == 1); //@race B1 read 8
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(close(number[0]) == 0); //@race A2 write 8
    if (!racy)
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    MUST(close(number[1]) == 0); //@race B2 write 8
    if (!racy)
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    return NULL;
}

int main(void) {
    number[0] = open("/dev/zero", O_RDONLY);
    number[1] = open("/dev/zero", O_RDONLY);
    RUN(first, second);
    return 0;
}
