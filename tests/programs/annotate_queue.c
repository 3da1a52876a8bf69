// SPDX-License-Identifier: Apache-2.0
// Who takes from a queue comes after who put. Racy: the data is written after that.
// peer-skip: libtsan takes no notice of these
#include "tests/programs/invisible.h"

void AnnotatePCQPut(const char *file, int line, void *p);
void AnnotatePCQGet(const char *file, int line, void *p);

static int queue;
int x;

THREAD(first) {
    if (racy)
        AnnotatePCQPut(__FILE__, __LINE__, &queue);
    x = 1; //@race 1 write 4
    if (!racy)
        AnnotatePCQPut(__FILE__, __LINE__, &queue);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    AnnotatePCQGet(__FILE__, __LINE__, &queue);
    USE(x); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
