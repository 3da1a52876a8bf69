// SPDX-License-Identifier: Apache-2.0
// Two different races are two reports.
// reports: 2
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    x = 1; //@race A1 write 4
    USE(y); //@race B1 read 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        x = 2; //@race A2 write 4
        y = 2; //@race B2 write 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
