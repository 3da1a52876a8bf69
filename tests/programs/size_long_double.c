// SPDX-License-Identifier: Apache-2.0
// A long double. Racy: the second thread reads the same one; in the twin its neighbour.
// peer-skip clang: it does not instrument long double
#include "tests/programs/invisible.h"

long double x[2];

THREAD(first) {
    x[0] = 1; //@race 1 write 10|16
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    long double v = x[!racy]; //@race 2 read 10|16
    USE((int)v);
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
