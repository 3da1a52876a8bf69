// SPDX-License-Identifier: Apache-2.0
// A thread that ends while something is ignored is counted, since nothing that it did was checked. Racy: what it did before that.
// report: ^Goldilocks: 1 threads ended after the begin of something to be ignored
#include "tests/programs/invisible.h"

void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

int x, y;

THREAD(first) {
    if (racy)
        x = 1; //@race 1 write 4
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    y = 1;
    if (!racy)
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(x); //@race 2 read 4
    y = 2;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
