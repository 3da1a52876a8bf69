// SPDX-License-Identifier: Apache-2.0
// memset writes just its range. Racy: the last byte of it is read; in the twin the one after it is written.
#include "tests/programs/invisible.h"
#include <string.h>

char x[64];

THREAD(first) {
    memset(x, 1, UNKNOWN((size_t)21)); //@race 1 write *
    turn_pass();
    return NULL;
}

THREAD(second) {
    turn_wait(1);
    if (racy)
        USE(x[20]); //@race 2 read 1
    else
        x[21] = 1;
    return NULL;
}

int main(void) {
    RUN(first, second);
    return 0;
}
