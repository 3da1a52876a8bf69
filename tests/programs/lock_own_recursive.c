// SPDX-License-Identifier: Apache-2.0
// A recursive lock of the program's own, given up at all depths at once and taken back, as a condition wait does. Racy: the
// data is written when it was given up.
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static long word;
int x;

static void lock(unsigned flags, int depth) {
    __tsan_mutex_pre_lock(&word, flags);
    __tsan_mutex_post_lock(&word, flags, depth);
}

static int unlock(unsigned flags) {
    int depth = __tsan_mutex_pre_unlock(&word, flags);
    __tsan_mutex_post_unlock(&word, flags);
    return depth;
}

THREAD(first) {
    lock(0, 0);
    lock(0, 0);
    if (!racy)
        x = 1;
    MUST(unlock(__tsan_mutex_recursive_unlock) == 2);
    if (racy)
        x = 1; //@race 1 write 4
    turn_pass();
    turn_wait(2);
    lock(__tsan_mutex_recursive_lock, 2);
    unlock(0);
    unlock(0);
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    lock(0, 0);
    USE(x); //@race 2 read 4
    unlock(0);
    turn_pass();
    return NULL;
}

int main(void) {
    __tsan_mutex_create(&word, __tsan_mutex_write_reentrant);
    RUN(first, second);
    __tsan_mutex_destroy(&word, 0);
    return 0;
}
