// SPDX-License-Identifier: Apache-2.0
// Accesses of 16 bytes. Racy: the second thread writes the same object; in the twin its neighbour.
#include "tests/programs/invisible.h"

__int128 x[2];

THREAD(first) {
    x[0] = 1; //@race 1 write 16
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x[!racy] = 2; //@race 2 write 16
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
