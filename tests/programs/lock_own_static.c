// SPDX-License-Identifier: Apache-2.0
// Static locks of the program's own are not destroyed in earnest, and may be in use before they are made: by who asks for that when the lock is
// made, or when it is destroyed if it was not made otherwise. Their order goes on. Racy: locks that are made and destroyed like any.
// reports: 3
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

#ifndef __tsan_mutex_not_static
#define __tsan_mutex_not_static (1u << 8)
#endif
void AnnotateRWLockCreateStatic(const char *file, int line, const volatile void *lock);
void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
void AnnotateRWLockDestroy(const char *file, int line, const volatile void *lock);
void AnnotateRWLockAcquired(const char *file, int line, const volatile void *lock, long writes);
void AnnotateRWLockReleased(const char *file, int line, const volatile void *lock, long writes);

static long made, otherwise, annotated;
int x;

static void take(long *m) {
    __tsan_mutex_pre_lock(m, __tsan_mutex_try_lock);
    __tsan_mutex_post_lock(m, __tsan_mutex_try_lock, 0);
}

static void give(long *m) {
    __tsan_mutex_pre_unlock(m, 0);
    __tsan_mutex_post_unlock(m, 0);
}

THREAD(first) {
    __tsan_mutex_create(&made, racy ? 0 : __tsan_mutex_linker_init);
    take(&made);
    __tsan_mutex_destroy(&made, 0); //@mistake destroy of a locked mutex
    if (!racy)
        give(&made);
    __tsan_mutex_create(&otherwise, racy ? __tsan_mutex_not_static : 0);
    take(&otherwise);
    __tsan_mutex_destroy(&otherwise, __tsan_mutex_not_static); //@mistake destroy of a locked mutex
    if (!racy)
        give(&otherwise);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &annotated, 1);
    if (!racy)
        AnnotateRWLockCreateStatic(__FILE__, __LINE__, &annotated);
    AnnotateRWLockDestroy(__FILE__, __LINE__, &annotated); //@mistake destroy of a locked mutex
    if (!racy) {
        x = 1;
        AnnotateRWLockReleased(__FILE__, __LINE__, &annotated, 1);
    }
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy) {
        AnnotateRWLockAcquired(__FILE__, __LINE__, &annotated, 1);
        x = 2;
        AnnotateRWLockReleased(__FILE__, __LINE__, &annotated, 1);
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
