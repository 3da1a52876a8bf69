// SPDX-License-Identifier: Apache-2.0
// The __sync builtins of old are full barriers (fetch_and_add, compare_and_swap), an acquire (lock_test_and_set) and a
// release (lock_release). Racy: y is written after the release.
#include "tests/programs/invisible.h"

static int lock, counter;
_Alignas(8) int x, y;

THREAD(first) {
    MUST(__sync_lock_test_and_set(&lock, 1) == 0);
    x = 1;
    if (!racy)
        y = 1;
    __sync_fetch_and_add(&counter, 1);
    __sync_lock_release(&lock);
    if (racy)
        y = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    MUST(__sync_bool_compare_and_swap(&counter, 1, 2));
    USE(x);
    MUST(__sync_lock_test_and_set(&lock, 1) == 0);
    y = 2; //@race 2 write 4
    __sync_lock_release(&lock);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
