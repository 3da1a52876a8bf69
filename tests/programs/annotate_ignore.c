// SPDX-License-Identifier: Apache-2.0
// Between IgnoreWritesBegin and its end nothing is checked. Racy: the write comes after the end.
#include "tests/programs/invisible.h"

void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

int x;

THREAD(first) {
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    if (racy)
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    x = 1; //@race 1 write 4
    if (!racy)
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
