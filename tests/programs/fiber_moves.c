// SPDX-License-Identifier: Apache-2.0
// A fiber that runs on one thread and then on another is one thread: what it did is ordered before what it does. Racy: two
// fibers, one on each.
#include "tests/programs/invisible.h"
#include <sanitizer/tsan_interface.h>

static void *fiber[2];
int x;

static void visit(int which, int value) {
    void *own = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber[which], __tsan_switch_to_fiber_no_sync);
    x = value; //@race 1 write 4; 2 write 4
    __tsan_switch_to_fiber(own, __tsan_switch_to_fiber_no_sync);
}

THREAD(first) {
    visit(0, 1);
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    visit(racy, 2);
    return NULL;
}

int main(void) {
    fiber[0] = __tsan_create_fiber(0);
    fiber[1] = __tsan_create_fiber(0);
    RUN(first, second);
    return 0;
}
