// SPDX-License-Identifier: Apache-2.0
// AnnotateHappensBefore comes before a later AnnotateHappensAfter of the same address. Racy: the data is written after it.
#include "tests/programs/invisible.h"

void AnnotateHappensBefore(const char *file, int line, void *p);
void AnnotateHappensAfter(const char *file, int line, void *p);

static int flag;
int x;

THREAD(first) {
    if (racy)
        AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    x = 1; //@race 1 write 4
    if (!racy)
        AnnotateHappensBefore(__FILE__, __LINE__, &flag);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    AnnotateHappensAfter(__FILE__, __LINE__, &flag);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
