// SPDX-License-Identifier: Apache-2.0
// Mistakes with locks of the program's own, told by __tsan_mutex_*. A lock that was reported once is not looked at any more.
// reports: 7
// peer-skip: libtsan says nothing of a read lock that nobody holds
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static long lock[8];

static void take(long *m, unsigned flags) {
    __tsan_mutex_pre_lock(m, flags | __tsan_mutex_try_lock);
    __tsan_mutex_post_lock(m, flags | __tsan_mutex_try_lock, 0);
}

static void give(long *m, unsigned flags) {
    __tsan_mutex_pre_unlock(m, flags);
    __tsan_mutex_post_unlock(m, flags);
}

THREAD(first) {
    take(&lock[0], 0);
    take(&lock[1], 0);
    take(&lock[5], __tsan_mutex_write_reentrant);
    take(&lock[5], __tsan_mutex_write_reentrant);
    give(&lock[5], 0);
    give(&lock[5], 0);
    turn_pass();
    turn_wait(2);
    if (!racy) {
        give(&lock[0], 0);
        give(&lock[1], 0);
    }
    turn_pass();
    return NULL;
}

#define PRE(m, flags)  __tsan_mutex_pre_unlock(m, flags), __tsan_mutex_post_unlock(m, flags)
#define POST(m, flags) __tsan_mutex_pre_lock(m, __tsan_mutex_try_lock | (flags)), __tsan_mutex_post_lock(m, __tsan_mutex_try_lock | (flags), 0)

THREAD(second) {
    turn_wait(1);
    turn_pass();
    if (!racy)
        turn_wait(3);
    POST(&lock[0], 0); //@mistake double lock of a mutex
    if (!racy)
        POST(&lock[1], 0);
    PRE(&lock[1], 0); //@mistake unlock of an unlocked mutex
    POST(&lock[2], 0);
    if (racy)
        POST(&lock[2], __tsan_mutex_read_lock); //@mistake read lock of a write locked mutex
    PRE(&lock[2], 0);
    POST(&lock[3], racy ? 0 : __tsan_mutex_read_lock);
    PRE(&lock[3], __tsan_mutex_read_lock); //@mistake read unlock of a write locked mutex
    if (!racy)
        POST(&lock[4], __tsan_mutex_read_lock);
    PRE(&lock[4], __tsan_mutex_read_lock); //@mistake unlock of an unlocked mutex
    POST(&lock[6], 0);
    __tsan_mutex_pre_lock(&lock[6], racy ? 0 : __tsan_mutex_write_reentrant); //@mistake double lock of a mutex
    __tsan_mutex_post_lock(&lock[6], __tsan_mutex_try_lock_failed, 0);
    POST(&lock[7], 0);
    if (!racy)
        PRE(&lock[7], 0);
    __tsan_mutex_destroy(&lock[7], 0); //@mistake destroy of a locked mutex
    __tsan_mutex_create(&lock[7], 0); // another one, at the same place
    POST(&lock[7], 0);
    PRE(&lock[7], 0);
    return NULL;
}

int main(void) {
    for (int i = 0; i < 8; i++)
        __tsan_mutex_create(&lock[i], 0);
    RUN(first, second);
    return 0;
}
