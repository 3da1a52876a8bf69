// SPDX-License-Identifier: Apache-2.0
// The report names the global variable and where the threads were created.
// report: ^  Location is global '(x|<null>)' of size 40 at
// report: ^  Thread T1 .*created by main thread at:$
// report: ^  Thread T2 .*created by main thread at:$
#include "tests/programs/invisible.h"

int x[10];

THREAD(first) {
    x[3] = 1; //@race 1 write 4
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x[3]); //@race 2 read 4
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
