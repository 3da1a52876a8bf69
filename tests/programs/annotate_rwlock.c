// SPDX-License-Identifier: Apache-2.0
// A lock that the program makes itself and tells of. Racy: the second thread takes it for reading only, and both read and
// write under it.
#include "tests/programs/invisible.h"

void AnnotateRWLockCreate(const char *file, int line, void *l);
void AnnotateRWLockDestroy(const char *file, int line, void *l);
void AnnotateRWLockAcquired(const char *file, int line, void *l, long writes);
void AnnotateRWLockReleased(const char *file, int line, void *l, long writes);

static int l;
int x;

THREAD(first) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &l, 0);
    USE(x); //@race 1 read 4
    AnnotateRWLockReleased(__FILE__, __LINE__, &l, 0);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &l, !racy);
    x = 1; //@race 2 write 4
    AnnotateRWLockReleased(__FILE__, __LINE__, &l, !racy);
    return NULL;
}

int main(void) {
    AnnotateRWLockCreate(__FILE__, __LINE__, &l);
    RUN(first, second);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &l);
    return 0;
}
