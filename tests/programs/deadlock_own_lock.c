// SPDX-License-Identifier: Apache-2.0
// Locks of the program's own are part of the order of locks: here two of them, told in different ways. Racy: the second thread takes them
// in the other order. (At another time, so nothing happens.)
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

void AnnotateRWLockAcquired(const char *file, int line, void *lock, long writes);
void AnnotateRWLockReleased(const char *file, int line, void *lock, long writes);

static long a, b;

static void take_a(void) {
    __tsan_mutex_pre_lock(&a, 0);
    __tsan_mutex_post_lock(&a, 0, 0);
}

static void give_a(void) {
    __tsan_mutex_pre_unlock(&a, 0);
    __tsan_mutex_post_unlock(&a, 0);
}

THREAD(first) {
    take_a();
    AnnotateRWLockAcquired(__FILE__, __LINE__, &b, 1); //@mistake lock-order-inversion (potential deadlock)
    AnnotateRWLockReleased(__FILE__, __LINE__, &b, 1);
    give_a();
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (!racy)
        take_a();
    AnnotateRWLockAcquired(__FILE__, __LINE__, &b, 1);
    if (racy)
        take_a();
    AnnotateRWLockReleased(__FILE__, __LINE__, &b, 1);
    give_a();
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
