// SPDX-License-Identifier: Apache-2.0
// report_limit: the others are counted.
// options: report_limit=1
// reports: 1
// report: ^Goldilocks: 1 races? were found after the limit of reports
// report: ^Goldilocks: 2 races happened on 2 pairs of stacks$
// report: ^Goldilocks: reported 1 race$
// peer-skip: options and layout of our own
#include "tests/programs/invisible.h"

_Alignas(8) int x;
_Alignas(8) int y;

THREAD(first) {
    x = 1; //@race A1 write 4
    y = 1; //@race ?B1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy) {
        USE(x); //@race A2 read 4
        USE(y); //@race ?B2 read 4
    }
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
