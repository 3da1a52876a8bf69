// SPDX-License-Identifier: Apache-2.0
// A lock of the program's own, told by __tsan_mutex_*: its inner workings do not count, its order does. Racy: the second
// thread's lock failed, and it goes on all the same.
// report: ^  Mutex M\d+ \(0x[0-9a-f]+\) created at:$
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static long word; /* taken with plain accesses: whoever looks at them sees a race */
int x;

static int lock(int must) {
    unsigned flags = must ? 0 : __tsan_mutex_try_lock;
    __tsan_mutex_pre_lock(&word, flags);
    long was = word;
    word = 1;
    if (was)
        flags |= __tsan_mutex_try_lock_failed;
    __tsan_mutex_post_lock(&word, flags, 0);
    return !was;
}

static void unlock(void) {
    __tsan_mutex_pre_unlock(&word, 0);
    word = 0;
    __tsan_mutex_post_unlock(&word, 0);
}

THREAD(first) {
    MUST(lock(1));
    x = 1; //@race 1 write 4
    if (!racy)
        unlock();
    turn_pass();
    turn_wait(2);
    if (racy)
        unlock();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(lock(0) == !racy);
    USE(x); //@race 2 read 4
    if (!racy)
        unlock();
    turn_pass();
    return NULL;
}

int main(void) {
    __tsan_mutex_create(&word, 0);
    RUN(first, second);
    __tsan_mutex_destroy(&word, 0);
    return 0;
}
