// SPDX-License-Identifier: Apache-2.0
// Neighbouring bit-fields share one memory location, so writing two of them from two threads is a race. In the twin a
// field of width zero puts them into separate ones.
#include "tests/programs/invisible.h"

struct {
    unsigned a : 4;
#if !racy
    unsigned : 0;
#endif
    unsigned b : 4;
} x;

THREAD(first) {
    x.a = 1; //@race 1 read|write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    x.b = 1; //@race 2 read|write *
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
