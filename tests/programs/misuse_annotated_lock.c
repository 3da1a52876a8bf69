// SPDX-License-Identifier: Apache-2.0
// The same of locks that are told by annotations.
// reports: 4
// peer-skip: libtsan wants annotations to be called in a header of its own
#include "tests/programs/invisible.h"

void AnnotateRWLockCreate(const char *file, int line, void *lock);
void AnnotateRWLockDestroy(const char *file, int line, void *lock);
void AnnotateRWLockAcquired(const char *file, int line, void *lock, long writes);
void AnnotateRWLockReleased(const char *file, int line, void *lock, long writes);

#define CREATE(m)       AnnotateRWLockCreate(__FILE__, __LINE__, m)
#define DESTROY(m)      AnnotateRWLockDestroy(__FILE__, __LINE__, m)
#define TAKE(m, writes) AnnotateRWLockAcquired(__FILE__, __LINE__, m, writes)
#define GIVE(m, writes) AnnotateRWLockReleased(__FILE__, __LINE__, m, writes)

static long lock[4];

THREAD(first) {
    CREATE(&lock[0]);
    TAKE(&lock[0], 1);
    TAKE(&lock[0], 1); // they may be recursive
    GIVE(&lock[0], 1);
    if (!racy)
        GIVE(&lock[0], 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    TAKE(&lock[0], 1); //@mistake double lock of a mutex
    if (!racy)
        GIVE(&lock[0], 1);
    TAKE(&lock[1], 0);
    TAKE(&lock[1], 0);
    GIVE(&lock[1], 0);
    if (!racy)
        GIVE(&lock[1], 0);
    DESTROY(&lock[1]); //@mistake destroy of a locked mutex
    if (!racy)
        TAKE(&lock[2], 1);
    GIVE(&lock[2], 1); //@mistake unlock of an unlocked mutex
    TAKE(&lock[3], 1);
    if (racy)
        TAKE(&lock[3], 0); //@mistake read lock of a write locked mutex
    GIVE(&lock[3], 1);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
