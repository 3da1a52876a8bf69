// SPDX-License-Identifier: Apache-2.0
// report_atomic_races=no: a race with an atomic access is not reported, one between plain accesses is.
// options: report_atomic_races=no
// reports: 1
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    __atomic_store_n(&x, 1, __ATOMIC_RELAXED);
    y = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x = 2; // races in both builds
    if (racy)
        y = 2; //@race 2 write 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
